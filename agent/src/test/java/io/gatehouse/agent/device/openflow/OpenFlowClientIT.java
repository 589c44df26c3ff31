package io.gatehouse.agent.device.openflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.openflow.codec.FlowChange;
import io.gatehouse.agent.device.openflow.codec.FlowDump;
import io.gatehouse.agent.device.openflow.codec.FlowEntry;
import io.gatehouse.agent.device.openflow.codec.FlowFilter;
import io.gatehouse.agent.device.openflow.codec.FlowMod;
import io.gatehouse.agent.device.openflow.codec.PortDescription;
import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.Match;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class OpenFlowClientIT {
  private static final String BRIDGE = "gh-int";
  private static final long COOKIE = 0x6768_0000_0000_0010L;

  private static VswitchdProcess vswitchd;
  private static EventLoopGroup group;
  private static RecordingListener listener;
  private static OpenFlowClient client;

  @BeforeAll
  static void start() throws InterruptedException {
    vswitchd = VswitchdProcess.start("ghof");
    vswitchd.addBridge(BRIDGE);
    group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    listener = new RecordingListener();
    client = newClient(listener);
    client.start();
    listener.await("connected");
    vswitchd.addMetersAndGroups(BRIDGE);
  }

  @AfterAll
  static void stop() {
    client.close();
    group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    vswitchd.close();
  }

  @BeforeEach
  void empty() {
    vswitchd.ofctl("del-flows", BRIDGE);
  }

  private static OpenFlowClient newClient(OpenFlowListener listener) {
    return new OpenFlowClient(
        OpenFlowConfig.ofBridge(vswitchd.directory(), BRIDGE),
        group,
        OpenFlowClientIT::later,
        () -> 0,
        listener);
  }

  private static void later(Duration delay, Runnable task) {
    var unused = group.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(30, TimeUnit.SECONDS);
  }

  private static void apply(List<FlowMod> mods) throws Exception {
    get(client.applyBundle(mods));
  }

  private static List<Flow> read() throws Exception {
    FlowDump dump = get(client.dumpFlows(FlowFilter.ALL));
    assertThat(dump.unreadable()).isEmpty();
    return dump.flows();
  }

  private static void add(List<Flow> flows) throws Exception {
    apply(flows.stream().<FlowMod>map(FlowMod.Add::new).toList());
  }

  /**
   * Sends each flow in its own table and priority, by us and by ovs-ofctl; both read back equal.
   */
  private static void assertReadsBack(List<Match> matches, List<List<Action>> actions)
      throws Exception {
    List<Flow> flows = new ArrayList<>();
    List<String> refused = new ArrayList<>();
    for (int i = 0; i < matches.size(); i++) {
      Flow flow = new Flow(i % 200, 1 + i, COOKIE, matches.get(i), actions.get(i));
      try {
        apply(List.of(new FlowMod.Add(flow)));
        flows.add(flow);
      } catch (ExecutionException e) {
        refused.add(String.valueOf(e.getCause()));
      }
    }
    assertThat(refused).isEmpty();
    assertThat(read()).containsExactlyInAnyOrderElementsOf(flows);
    apply(List.of(new FlowMod.DeleteByCookie(COOKIE, -1)));
    Path file = vswitchd.directory().resolve("flows.txt");
    Files.write(file, flows.stream().map(Flow::toString).toList());
    vswitchd.ofctl("add-flows", BRIDGE, file.toString());
    assertThat(read()).containsExactlyInAnyOrderElementsOf(flows);
  }

  @Test
  void everyFieldReadsBackAsSent() throws Exception {
    List<Match> matches = FlowSamples.matches(1);
    assertReadsBack(matches, matches.stream().map(m -> List.<Action>of()).toList());
  }

  @Test
  void everyWritableFieldReadsBackAsSet() throws Exception {
    List<Match> matches = new ArrayList<>();
    List<List<Action>> actions = new ArrayList<>();
    for (Field field : Field.values()) {
      if (FlowSamples.isSetInFlow(field)) {
        Match match = FlowSamples.needs(field).field(field, FlowSamples.value(field, 2)).build();
        boolean met = field.isMaskable() && field.bits() > 8 && !field.text().startsWith("vlan");
        matches.add(match);
        actions.add(List.of(Actions.set(field, FlowSamples.value(field, 3))));
        if (met) {
          matches.add(match);
          actions.add(List.of(Actions.set(field, FlowSamples.value(field, 4), Bits.ones(7))));
        }
      }
    }
    assertReadsBack(matches, actions);
  }

  @Test
  void everyActionReadsBackAsSent() throws Exception {
    List<Match> matches = new ArrayList<>();
    List<List<Action>> actions = new ArrayList<>();
    for (Action action : FlowSamples.plainActions()) {
      matches.add(Match.ANY);
      actions.add(List.of(action));
    }
    for (Action action : FlowSamples.ipActions()) {
      matches.add(Match.builder().ethType(0x0800).build());
      actions.add(List.of(action));
    }
    matches.add(Match.builder().vlanTci(0x1005, 0x1fff).build());
    actions.add(List.of(Actions.popVlan()));
    assertReadsBack(matches, actions);
  }

  private static Flow flow(int table, int priority, long cookie, int port) {
    return new Flow(
        table,
        priority,
        cookie,
        Match.builder().inPort(port).build(),
        List.of(Actions.resubmit(table + 1)));
  }

  private static DeviceException refusal(List<FlowMod> mods) {
    return (DeviceException)
        assertThatThrownBy(() -> apply(mods))
            .isInstanceOf(ExecutionException.class)
            .cause()
            .isInstanceOf(DeviceException.class)
            .actual();
  }

  @Test
  void aRefusedChangeIsNamedAndNothingIsDone() throws Exception {
    add(List.of(flow(1, 1, COOKIE, 1)));
    Flow bad = new Flow(3, 7, 0, Match.ANY, List.of(Actions.set(Field.IP_SRC, Bits.of(1))));

    DeviceException thrown =
        refusal(
            List.of(
                new FlowMod.DeleteByCookie(COOKIE, -1),
                new FlowMod.Add(flow(2, 1, COOKIE, 1)),
                new FlowMod.Add(bad),
                new FlowMod.Add(flow(4, 1, COOKIE, 1))));

    assertThat(thrown.kind()).isEqualTo(DeviceException.Kind.REJECTED);
    assertThat(thrown)
        .hasMessageContaining("OFPBAC_MATCH_INCONSISTENT")
        .hasMessageContaining("add " + bad);
    assertThat(read()).containsExactly(flow(1, 1, COOKIE, 1));
  }

  @Test
  void aChangeThatFailsInTheCommitIsNamedToo() throws Exception {
    add(List.of(flow(1, 1, COOKIE, 1)));
    Flow bad = new Flow(3, 7, 0, Match.ANY, List.of(Actions.meter(99)));

    DeviceException thrown =
        refusal(List.of(new FlowMod.DeleteByCookie(COOKIE, -1), new FlowMod.Add(bad)));

    assertThat(thrown).hasMessageContaining("to add " + bad);
    assertThat(read()).containsExactly(flow(1, 1, COOKIE, 1));
  }

  @Test
  void changesApplyInTheirOrder() throws Exception {
    add(List.of(flow(1, 1, COOKIE, 1), flow(1, 2, COOKIE + 1, 1), flow(1, 3, 7, 1)));

    apply(
        List.of(
            new FlowMod.DeleteByCookie(COOKIE, ~1L),
            new FlowMod.Add(flow(1, 2, COOKIE, 9)),
            new FlowMod.Add(flow(1, 4, COOKIE, 9)),
            new FlowMod.DeleteStrict(flow(1, 4, COOKIE, 9).key()),
            new FlowMod.DeleteStrict(flow(1, 200, COOKIE, 9).key())));

    assertThat(read()).containsExactlyInAnyOrder(flow(1, 2, COOKIE, 9), flow(1, 3, 7, 1));
  }

  /** One packet from the local port through table 0. */
  private static FlowEntry only() throws Exception {
    FlowDump dump = get(client.dumpFlows(FlowFilter.ALL));
    assertThat(dump.entries()).hasSize(1);
    return dump.entries().get(0);
  }

  /** Both keep the counters; only adding again changes the cookie. */
  @Test
  void countersSurviveModifyAndAddAgain() throws Exception {
    Match match = Match.builder().inPort(Actions.LOCAL).build();
    Flow first = new Flow(0, 1, COOKIE, match, List.of());
    add(List.of(first));
    vswitchd.sendPacket(BRIDGE);
    vswitchd.appctl("revalidator/purge");
    assertThat(only().counters().packets()).isEqualTo(1);
    assertThat(only().counters().bytes()).isEqualTo(42);

    Flow modified = new Flow(0, 1, COOKIE + 1, match, List.of(Actions.output(9)));
    apply(List.of(new FlowMod.ModifyStrict(modified)));
    assertThat(only().flow()).isEqualTo(new Flow(0, 1, COOKIE, match, List.of(Actions.output(9))));
    assertThat(only().counters().packets()).isEqualTo(1);

    apply(List.of(new FlowMod.Add(modified)));
    assertThat(only().flow()).isEqualTo(modified);
    assertThat(only().counters().packets()).isEqualTo(1);

    apply(List.of(new FlowMod.ModifyStrict(new Flow(0, 2, 0, match, List.of()))));
    assertThat(read()).hasSize(1);
  }

  @Test
  void filtersByCookieAndTable() throws Exception {
    add(List.of(flow(1, 1, COOKIE, 1), flow(2, 1, COOKIE, 1), flow(1, 2, COOKIE + 1, 1)));

    assertThat(get(client.dumpFlows(FlowFilter.ofCookie(COOKIE))).flows()).hasSize(2);
    assertThat(get(client.dumpFlows(FlowFilter.ofCookie(COOKIE).inTable(2))).flows())
        .containsExactly(flow(2, 1, COOKIE, 1));
    assertThat(get(client.aggregate(FlowFilter.ofCookie(COOKIE, ~1L))).flows()).isEqualTo(3);
  }

  @Test
  void readsTenThousandFlowsInManyParts() throws Exception {
    List<Flow> flows = new ArrayList<>();
    for (int i = 1; i <= 10_000; i++) {
      flows.add(flow(i % 100, i, COOKIE, 1 + i % 1000));
    }
    add(flows);

    assertThat(read()).containsExactlyInAnyOrderElementsOf(flows);
  }

  @Test
  void bundlesOfManyCallersApplyOneAfterAnother() throws Exception {
    List<CompletableFuture<Void>> futures = new ArrayList<>();
    for (int i = 1; i <= 10; i++) {
      futures.add(
          client.applyBundle(
              List.of(
                  new FlowMod.DeleteByCookie(COOKIE, -1), new FlowMod.Add(flow(1, i, COOKIE, 1)))));
    }
    for (CompletableFuture<Void> future : futures) {
      get(future);
    }

    assertThat(read()).containsExactly(flow(1, 10, COOKIE, 1));
  }

  @Test
  void foreignFlowsAreReadAndNeverEqualOurs() throws Exception {
    vswitchd.ofctl(
        "add-flow",
        BRIDGE,
        "table=3,priority=9,cookie=5,idle_timeout=600,ip,"
            + "actions=learn(table=4,NXM_OF_ETH_DST[]),load:7->NXM_NX_REG1[0..3],goto_table:9");
    vswitchd.ofctl("add-flow", BRIDGE, "table=4,cookie=6,mpls,mpls_label=5,actions=drop");

    FlowDump dump = get(client.dumpFlows(FlowFilter.ALL));

    assertThat(dump.entries()).hasSize(1);
    FlowEntry entry = dump.entries().get(0);
    assertThat(entry.isPlain()).isFalse();
    assertThat(entry.expiry().idleSeconds()).isEqualTo(600);
    assertThat(entry.flow().actions()).hasSize(3);
    assertThat(entry.flow().actions().get(1)).isEqualTo(Actions.setReg(1, 7, 0xf));
    assertThat(dump.unreadable()).hasSize(1);
    assertThat(dump.unreadable().get(0).cookie()).isEqualTo(6);
    assertThat(dump.unreadable().get(0).table()).isEqualTo(4);
  }

  @Test
  void hearsOfOthersChangesAndNotOfOnesOwn() throws Exception {
    RecordingListener heard = new RecordingListener();
    try (OpenFlowClient watching = newClient(heard)) {
      watching.start();
      heard.await("connected");
      get(watching.applyBundle(List.of(new FlowMod.Add(flow(1, 1, COOKIE, 1)))));
      get(watching.applyBundle(List.of(new FlowMod.DeleteStrict(flow(1, 1, 0, 1).key()))));
      assertThat(heard.isQuiet()).isTrue();

      String text = flow(5, 6, COOKIE, 1).toString();
      vswitchd.ofctl("add-flow", BRIDGE, text);
      assertThat(heard.awaitFlow())
          .isEqualTo(
              new FlowChange(FlowChange.Kind.ADDED, flow(5, 6, COOKIE, 1), FlowEntry.Expiry.NEVER));

      vswitchd.ofctl("mod-flows", BRIDGE, "table=5,actions=output:9");
      FlowChange modified = heard.awaitFlow();
      assertThat(modified.kind()).isEqualTo(FlowChange.Kind.MODIFIED);
      assertThat(modified.flow().actions()).isEqualTo(List.of(Actions.output(9)));

      apply(List.of(new FlowMod.DeleteByCookie(COOKIE, -1)));
      FlowChange removed = heard.awaitFlow();
      assertThat(removed.kind()).isEqualTo(FlowChange.Kind.REMOVED);
      assertThat(removed.flow().key()).isEqualTo(flow(5, 6, COOKIE, 1).key());
      assertThat(removed.flow().cookie()).isEqualTo(COOKIE);

      vswitchd.ofctl("add-flow", BRIDGE, "table=4,mpls,mpls_label=5,actions=drop");
      heard.await("unknown");
    }
  }

  @Test
  void readsPortsAndHearsOfThem() throws Exception {
    List<PortDescription> ports = get(client.dumpPorts());
    assertThat(ports).extracting(PortDescription::name).contains(BRIDGE);

    vswitchd.vsctl(
        "add-port",
        BRIDGE,
        "p1",
        "--",
        "set",
        "interface",
        "p1",
        "type=internal",
        "ofport_request=42");
    RecordingListener.Event event = listener.await("port ADDED");
    assertThat(event.value())
        .isInstanceOfSatisfying(
            PortDescription.class,
            port -> {
              assertThat(port.number()).isEqualTo(42);
              assertThat(port.name()).isEqualTo("p1");
            });
    vswitchd.vsctl("del-port", BRIDGE, "p1");
    listener.await("port REMOVED");
  }

  @Test
  void comesBackAfterTheSwitchDied() throws Exception {
    add(List.of(flow(1, 1, COOKIE, 1)));
    vswitchd.killVswitchd();
    DeviceException gone = (DeviceException) listener.await("disconnected").value();
    assertThat(gone.kind()).isEqualTo(DeviceException.Kind.UNREACHABLE);
    assertThatThrownBy(() -> get(client.barrier()))
        .hasCauseInstanceOf(DeviceException.class)
        .hasMessageContaining("no connection");

    vswitchd.startVswitchd();
    listener.await("connected");

    assertThat(read()).isEmpty();
    vswitchd.addMetersAndGroups(BRIDGE);
  }
}
