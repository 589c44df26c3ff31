package io.gatehouse.agent.device.openflow;

import io.gatehouse.agent.device.openflow.codec.FlowDump;
import io.gatehouse.agent.device.openflow.codec.FlowFilter;
import io.gatehouse.agent.device.openflow.codec.FlowMod;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Puts 100 000 flows into a real switch in one bundle, by this client and by {@code ovs-ofctl
 * --bundle add-flows}, in turns, and prints the times and their ratio. Not a test: it asserts
 * nothing. Arguments: flows, rounds.
 */
public final class OpenFlowBundleBench {
  private static final String BRIDGE = "gh-int";
  private static final long COOKIE = 0x6768_0000_0000_0001L;

  private OpenFlowBundleBench() {}

  public static void main(String[] arguments) throws Exception {
    int count = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 100_000;
    int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5;
    EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    try (VswitchdProcess vswitchd = VswitchdProcess.start("ghofbench")) {
      vswitchd.addBridge(BRIDGE);
      RecordingListener listener = new RecordingListener();
      try (OpenFlowClient client =
          new OpenFlowClient(
              OpenFlowConfig.ofBridge(vswitchd.directory(), BRIDGE),
              group,
              (delay, task) -> group.execute(task),
              () -> 0,
              listener)) {
        client.start();
        listener.await("connected");
        compare(vswitchd, client, flows(count), rounds);
      }
    } finally {
      group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }
  }

  private static void compare(
      VswitchdProcess vswitchd, OpenFlowClient client, List<Flow> flows, int rounds)
      throws Exception {
    Path file = vswitchd.directory().resolve("flows.txt");
    Files.write(file, flows.stream().map(Flow::toString).toList());
    List<FlowMod> mods = flows.stream().<FlowMod>map(FlowMod.Add::new).toList();
    long[] ours = new long[rounds];
    long[] theirs = new long[rounds];
    for (int round = 0; round < rounds; round++) {
      ours[round] = millis(() -> client.applyBundle(mods).get());
      FlowDump[] dump = new FlowDump[1];
      long read = millis(() -> dump[0] = client.dumpFlows(FlowFilter.ALL).get());
      System.out.printf(
          "ours %d ms, read back %d flows in %d ms%n", ours[round], dump[0].entries().size(), read);
      client.applyBundle(List.of(new FlowMod.DeleteByCookie(COOKIE, -1))).get();
      theirs[round] = millis(() -> vswitchd.ofctlBundle(BRIDGE, file));
      System.out.printf("ovs-ofctl %d ms%n", theirs[round]);
      client.applyBundle(List.of(new FlowMod.DeleteByCookie(COOKIE, -1))).get();
    }
    Arrays.sort(ours);
    Arrays.sort(theirs);
    System.out.printf(
        "%d flows in one bundle, median of %d: ours %d ms, ovs-ofctl %d ms, ratio %.2f%n",
        flows.size(),
        rounds,
        ours[rounds / 2],
        theirs[rounds / 2],
        (double) ours[rounds / 2] / theirs[rounds / 2]);
  }

  private interface Work {
    void run() throws Exception;
  }

  private static long millis(Work work) throws Exception {
    long start = System.nanoTime();
    work.run();
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }

  /** Flows as the pipeline has them: a network's register and an address, to a tunnel or a port. */
  private static List<Flow> flows(int count) {
    List<Flow> flows = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Match match =
          Match.builder()
              .reg(0, i / 256)
              .ethDst(new MacAddress(0x0200_0000_0000L + i))
              .ipDst(IpAddress.ofV4(0x0a00_0000L + i))
              .build();
      flows.add(
          new Flow(
              50,
              100,
              COOKIE,
              match,
              List.of(
                  Actions.setTunId(5000 + i / 256),
                  Actions.setTunDst(IpAddress.ofV4(0xac10_0201L)),
                  Actions.setReg(7, i),
                  Actions.resubmit(80))));
    }
    return flows;
  }
}
