package io.gatehouse.agent.device.openflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.apply.MeterApplier;
import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.openflow.codec.FlowFilter;
import io.gatehouse.agent.device.openflow.codec.FlowMod;
import io.gatehouse.agent.device.openflow.codec.MeterCodec;
import io.gatehouse.agent.diff.MeterDiff;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.flow.RateMeter;
import io.gatehouse.agent.flow.RateMeter.Unit;
import io.gatehouse.agent.observe.MeterObserver;
import io.gatehouse.agent.state.MeterKind;
import io.gatehouse.agent.state.change.MeterChange;
import io.gatehouse.agent.state.observed.MeterView;
import io.gatehouse.agent.state.observed.Observed;
import io.gatehouse.agent.state.planned.FlowPlan;
import io.gatehouse.agent.state.planned.Fragment;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Meters of a real switch: planned, compared, written, read back, and what they take along. */
final class MeterIT {
  private static final String BRIDGE = "gh-int";
  private static final int PORT = 65_279;

  private static VswitchdProcess vswitchd;
  private static EventLoopGroup group;
  private static OpenFlowClient client;

  private MeterObserver observer;
  private MeterApplier applier;

  @BeforeAll
  static void start() throws InterruptedException {
    vswitchd = VswitchdProcess.start("ghmt");
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

  @BeforeEach
  void empty() {
    observer = new MeterObserver(client);
    applier = new MeterApplier(client);
    vswitchd.ofctl("del-flows", BRIDGE);
    vswitchd.ofctl("del-meters", BRIDGE);
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(30, TimeUnit.SECONDS);
  }

  private MeterView view() throws InterruptedException {
    observer.mayHaveChanged();
    return observer
        .observe()
        .orElseGet(
            reason -> {
              throw new AssertionError(reason);
            });
  }

  private Map<Integer, String> write(RateMeter... meters) throws Exception {
    Fragment fragment = new Fragment("owner", "", List.of(), List.of(meters));
    MeterChange change = MeterDiff.diff(new FlowPlan(Map.of(1L, fragment)), view());
    Map<Integer, String> refused = applier.open(change);
    applier.close(change);
    return refused;
  }

  @Test
  void whatIsWrittenIsReadBackAndThenThereIsNothingToDo() throws Exception {
    List<RateMeter> meters = new ArrayList<>();
    for (MeterKind kind : MeterKind.values()) {
      meters.add(new RateMeter(kind.id(PORT), Unit.PACKETS, kind.id(1), 1));
    }
    for (int port = 1; port < 200; port++) {
      int id = MeterKind.EGRESS_BITS.id(port);
      meters.add(new RateMeter(id, Unit.KILOBITS, 1_000_000_000, 100_000_000));
    }
    RateMeter[] all = meters.toArray(RateMeter[]::new);
    assertThat(write(all)).isEmpty();
    MeterView view = view();
    assertThat(view.meters().values()).containsExactlyInAnyOrder(all);
    assertThat(view.room()).isGreaterThan(all.length);
    FlowPlan plan = new FlowPlan(Map.of(1L, new Fragment("owner", "", List.of(), meters)));
    assertThat(MeterDiff.diff(plan, view)).isEqualTo(MeterChange.NONE);
    assertThat(write(all[0])).isEmpty();
    assertThat(view().meters().values()).containsExactly(all[0]);
  }

  @Test
  void ovsOfctlMakesTheSameMeterOfItsText() throws Exception {
    RateMeter meter = new RateMeter(77, Unit.KILOBITS, 20_000, 2_000);
    vswitchd.ofctl("add-meter", BRIDGE, meter.toString());
    assertThat(view().meters()).containsExactly(Map.entry(77, meter));
  }

  @Test
  void aMeterOfSomebodyElseIsStrangeAndSetRight() throws Exception {
    vswitchd.ofctl("add-meter", BRIDGE, "meter=77,kbps,band=type=drop,rate=5");
    assertThat(view().strange()).containsExactly(77);
    RateMeter meter = new RateMeter(77, Unit.KILOBITS, 20_000, 2_000);
    assertThat(write(meter)).isEmpty();
    assertThat(view().meters()).containsExactly(Map.entry(77, meter));
  }

  @Test
  void whatTheSwitchRefusesIsNamedAndTheOthersAreMade() throws Exception {
    RateMeter there = new RateMeter(8, Unit.PACKETS, 1, 1);
    RateMeter other = new RateMeter(16, Unit.PACKETS, 1, 1);
    assertThat(write(there)).isEmpty();
    MeterChange again = new MeterChange(List.of(there, other), List.of(), List.of(), Map.of());
    assertThat(applier.open(again))
        .containsExactly(Map.entry(8, "the bridge says OFPMMFC_METER_EXISTS"));
    assertThat(view().meters()).containsOnlyKeys(8, 16);
  }

  @Test
  void aDeletedMeterTakesItsFlowsAndAFlowWithoutItsMeterAsksForAnotherLook() throws Exception {
    assertThat(write(new RateMeter(8, Unit.PACKETS, 1, 1))).isEmpty();
    Flow flow = new Flow(0, 1, 1, Match.ANY, List.of(Actions.meter(8), Actions.output(9)));
    get(client.applyBundle(List.of(new FlowMod.Add(flow))));
    assertThat(get(client.dumpFlows(FlowFilter.ALL)).flows()).containsExactly(flow);
    get(client.deleteMeter(8));
    assertThat(get(client.dumpFlows(FlowFilter.ALL)).flows()).isEmpty();
    assertThatThrownBy(() -> get(client.applyBundle(List.of(new FlowMod.Add(flow)))))
        .cause()
        .isInstanceOfSatisfying(
            DeviceException.class,
            e -> assertThat(e.kind()).isEqualTo(DeviceException.Kind.UNREACHABLE))
        .hasMessageContaining("OFPMMFC_INVALID_METER");
    get(client.deleteMeter(8));
  }

  @Test
  void dropsAreCountedAndNeverCountBackwards() throws Exception {
    int id = MeterKind.BROADCAST.id(1);
    assertThat(write(new RateMeter(id, Unit.PACKETS, 1, 1))).isEmpty();
    Flow flow =
        new Flow(
            0,
            1,
            1,
            Match.builder().inPort(Actions.LOCAL).build(),
            List.of(Actions.meter(id), Actions.output(9)));
    get(client.applyBundle(List.of(new FlowMod.Add(flow))));
    for (int i = 0; i < 20; i++) {
      vswitchd.sendPacket(BRIDGE);
    }
    List<MeterCodec.Counters> counters = get(client.meterCounters());
    assertThat(counters).hasSize(1);
    assertThat(view().meters()).hasSize(1);
    assertThat(observer.dropped(MeterKind.BROADCAST)).isEqualTo(counters.get(0).dropped());
    get(client.deleteMeter(id));
    assertThat(view().meters()).isEmpty();
    assertThat(observer.dropped(MeterKind.BROADCAST)).isEqualTo(counters.get(0).dropped());
    assertThat(observer.observe()).isInstanceOf(Observed.Known.class);
  }
}
