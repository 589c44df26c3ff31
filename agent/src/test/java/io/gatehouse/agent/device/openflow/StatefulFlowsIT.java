package io.gatehouse.agent.device.openflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.device.openflow.codec.FlowDump;
import io.gatehouse.agent.device.openflow.codec.FlowFilter;
import io.gatehouse.agent.device.openflow.codec.FlowMod;
import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.Match;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What stateful rules need of a real switch. */
final class StatefulFlowsIT {
  private static final String BRIDGE = "gh-int";
  private static final long COOKIE = 0x6768_0000_0000_0010L;

  private static VswitchdProcess vswitchd;
  private static EventLoopGroup group;
  private static OpenFlowClient client;

  @BeforeAll
  static void start() throws InterruptedException {
    vswitchd = VswitchdProcess.start("ghct");
    vswitchd.addBridge(BRIDGE);
    group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    RecordingListener listener = new RecordingListener();
    client =
        new OpenFlowClient(
            OpenFlowConfig.ofBridge(vswitchd.directory(), BRIDGE),
            group,
            (delay, task) -> {
              var unused = group.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
            },
            () -> 0,
            listener);
    client.start();
    listener.await("connected");
  }

  @AfterAll
  static void stop() {
    client.close();
    group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    vswitchd.close();
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(30, TimeUnit.SECONDS);
  }

  private static void add(Flow flow) throws Exception {
    vswitchd.ofctl("del-flows", BRIDGE);
    get(client.applyBundle(List.of(new FlowMod.Add(flow))));
  }

  @Test
  void aFlushOfAZoneForgetsItsConnectionsAndNoOthers() throws Exception {
    Match ip = Match.builder().ethType(0x0800).build();
    add(new Flow(0, 1, COOKIE, ip, List.of(Actions.ctCommit(7), Actions.ctCommit(8))));
    vswitchd.ofctl(
        "packet-out",
        BRIDGE,
        "in_port=LOCAL,packet=ffffffffffff0200000000010800450000140000000040706678"
            + "0a0000020a000001,actions=TABLE");
    assertThat(connections()).contains("zone=7").contains("zone=8");

    get(client.flushZones(List.of(7, 9)));

    assertThat(connections()).doesNotContain("zone=7").contains("zone=8");
    get(client.flushZones(List.of(8)));
  }

  @Test
  void aFlowMayBePartOfAThousandConjunctions() throws Exception {
    List<Action> conjunctions = new ArrayList<>();
    for (int id = 1_000; id > 0; id--) {
      conjunctions.add(Actions.conjunction(id * 4_000_000, 1, 2));
    }
    Flow flow = new Flow(0, 1, COOKIE, Match.builder().metadata(7).build(), conjunctions);
    add(flow);
    FlowDump dump = get(client.dumpFlows(FlowFilter.ALL));
    assertThat(dump.flows()).containsExactly(flow);
  }

  private static String connections() {
    return vswitchd.appctl("dpctl/dump-conntrack", "netdev@ovs-netdev");
  }
}
