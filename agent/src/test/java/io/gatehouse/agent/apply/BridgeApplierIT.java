package io.gatehouse.agent.apply;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.ovsdb.OvsdbClient;
import io.gatehouse.agent.device.ovsdb.OvsdbConfig;
import io.gatehouse.agent.device.ovsdb.OvsdbListener;
import io.gatehouse.agent.device.ovsdb.OvsdbServerProcess;
import io.gatehouse.agent.device.ovsdb.OvsdbSnapshot;
import io.gatehouse.agent.diff.BridgeDiff;
import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.fixture.RandomPolicies;
import io.gatehouse.agent.observe.BridgeObserver;
import io.gatehouse.agent.plan.PolicyPlanner;
import io.gatehouse.agent.state.Facts;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.PortZone;
import io.gatehouse.agent.state.Site;
import io.gatehouse.agent.state.change.BridgeChange;
import io.gatehouse.agent.state.observed.BridgeView;
import io.gatehouse.agent.state.observed.Observed;
import io.gatehouse.agent.state.planned.BridgePlan;
import io.gatehouse.agent.state.planned.FlowPlan;
import io.gatehouse.agent.state.planned.PortPlan;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Planned, observed, compared and written on a real database. */
class BridgeApplierIT {
  private static final long LIMIT_SECONDS = 20;
  private static final Site SITE = RandomPolicies.SITE;

  @TempDir private Path directory;

  private final LinkedBlockingQueue<OvsdbSnapshot> changes = new LinkedBlockingQueue<>();
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  private OvsdbServerProcess server;
  private OvsdbClient client;
  private BridgeObserver observer;
  private BridgeApplier applier;

  @BeforeEach
  void connect() throws Exception {
    server = OvsdbServerProcess.start(directory);
    client =
        new OvsdbClient(
            OvsdbConfig.of(server.unix(), BridgeObserver.MONITORED),
            Optional.empty(),
            loops,
            loops,
            () -> 0,
            new Recorder());
    client.start();
    assertThat(changes.poll(LIMIT_SECONDS, TimeUnit.SECONDS)).as("the first snapshot").isNotNull();
    observer = new BridgeObserver(client, Optional.empty());
    applier = new BridgeApplier(client, SITE);
  }

  @AfterEach
  void close() throws Exception {
    client.close();
    server.close();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
  }

  @Test
  void whatIsPlannedIsReadBack() throws Exception {
    BridgePlan plan = plan(Map.of());
    applier.apply(BridgeDiff.diff(plan, view(), false));
    BridgeView after = await(view -> view.ports().containsKey("rep1"));
    assertThat(after.ports()).containsOnlyKeys(Site.BRIDGE, Site.TUNNEL_PORT, "rep0", "rep1");
    assertThat(BridgeDiff.diff(plan, after, false).isEmpty()).isTrue();

    server.vsctl("set", "interface", Site.TUNNEL_PORT, "options:key=7");
    after = await(view -> !BridgeDiff.diff(plan, view, false).isEmpty());
    applier.apply(BridgeDiff.diff(plan, after, false));
    await(view -> BridgeDiff.diff(plan, view, false).isEmpty());

    server.vsctl("set", "interface", "rep0", "mtu_request=1400");
    after = await(view -> !BridgeDiff.diff(plan, view, false).isEmpty());
    applier.apply(BridgeDiff.diff(plan, after, false));
    await(view -> BridgeDiff.diff(plan, view, false).isEmpty());
    assertThat(server.vsctl("get", "interface", "rep0", "mtu_request").strip()).isEqualTo("9216");
    assertThat(server.vsctl("get", "interface", Site.TUNNEL_PORT, "mtu_request").strip())
        .as("a tunnel port takes none")
        .isEqualTo("[]");
  }

  @Test
  void theZoneOfAPortIsKeptBesideItsOwner() throws Exception {
    BridgePlan before = plan(Map.of());
    applier.apply(BridgeDiff.diff(before, view(), false));
    await(view -> view.ports().containsKey("rep1"));

    PortPlan bare = requireNonNull(before.ports().get("rep1"));
    PortZone zone = new PortZone(65_535, "uid \"1\"");
    SortedMap<String, PortPlan> ports = new TreeMap<>(before.ports());
    ports.put(
        "rep1",
        new PortPlan(
            "rep1",
            bare.type(),
            bare.options(),
            bare.owner(),
            bare.mtuRequest(),
            Optional.of(zone)));
    BridgePlan zoned = new BridgePlan(before.datapath(), ports);
    BridgeChange change = BridgeDiff.diff(zoned, view(), false);
    assertThat(change.newZones()).containsExactly(zone.number());
    applier.apply(change);
    BridgeView after = await(view -> zone(view).isPresent());
    assertThat(zone(after)).contains(zone);
    assertThat(BridgeDiff.diff(zoned, after, false).isEmpty()).isTrue();

    for (String unreadable : List.of("0", "65536", "-1", "x")) {
      server.vsctl("set", "port", "rep1", "external_ids:" + Site.ZONE_KEY + "=" + unreadable);
      after = await(view -> zone(view).isEmpty());
      assertThat(BridgeDiff.diff(zoned, after, false).newZones()).containsExactly(zone.number());
      server.vsctl("set", "port", "rep1", "external_ids:" + Site.ZONE_KEY + "=" + zone.number());
      await(view -> zone(view).isPresent());
    }

    applier.apply(BridgeDiff.diff(before, view(), false));
    await(view -> zone(view).isEmpty());
  }

  private static Optional<PortZone> zone(BridgeView view) {
    return requireNonNull(view.ports().get("rep1")).zone();
  }

  @Test
  void aDeviceOnABridgeOfOthersIsLeftThereAndStopsNobody() throws Exception {
    server.vsctl("add-br", "br-ex", "--", "add-port", "br-ex", "rep0");
    BridgeView before = await(view -> view.otherBridges().containsKey("rep0"));
    assertThat(before.otherBridges())
        .containsOnly(Map.entry("rep0", "br-ex"), Map.entry("br-ex", "br-ex"));
    assertThatThrownBy(() -> applier.apply(BridgeDiff.diff(plan(Map.of()), before, false)))
        .as("the database takes all ports of a transaction or none")
        .isInstanceOfSatisfying(
            DeviceException.class,
            refused -> assertThat(refused.kind()).isEqualTo(DeviceException.Kind.REJECTED));

    applier.apply(BridgeDiff.diff(plan(before.otherBridges()), before, false));
    BridgeView after = await(view -> view.ports().containsKey("rep1"));
    assertThat(after.ports()).containsOnlyKeys(Site.BRIDGE, Site.TUNNEL_PORT, "rep1");
    assertThat(server.vsctl("port-to-br", "rep0").strip()).isEqualTo("br-ex");
  }

  private static BridgePlan plan(Map<String, String> otherBridges) {
    Policy policy =
        Policy.of(
            1,
            List.of(
                Policies.network("a/n", 7, "10.0.0.0/24"),
                Policies.localPort("a/n/web", "f0", "02:00:00:00:00:01", "10.0.0.1"),
                Policies.localPort("a/n/db", "f1", "02:00:00:00:00:02", "10.0.0.2")));
    Facts facts =
        new Facts(
            Map.of("f0", "rep0", "f1", "rep1"),
            Map.of(),
            Map.of(),
            otherBridges,
            Map.of(),
            Map.of(),
            Optional.empty());
    return PolicyPlanner.plan(policy, facts, SITE, FlowPlan.EMPTY).bridge();
  }

  private BridgeView view() {
    if (observer.observe(Set.of()) instanceof Observed.Known<BridgeView> known) {
      return known.value();
    }
    throw new AssertionError("the bridge cannot be read");
  }

  /** The first view, from now on, that is as asked. */
  private BridgeView await(Predicate<BridgeView> asAsked) throws InterruptedException {
    BridgeView view = view();
    while (!asAsked.test(view)) {
      if (changes.poll(LIMIT_SECONDS, TimeUnit.SECONDS) == null) {
        throw new AssertionError("nothing changed any more; the last view was " + view);
      }
      view = view();
    }
    return view;
  }

  private final class Recorder implements OvsdbListener {
    @Override
    public void connected(OvsdbSnapshot snapshot) {
      changes.add(snapshot);
    }

    @Override
    public void changed(OvsdbSnapshot snapshot) {
      changes.add(snapshot);
    }

    @Override
    public void disconnected(DeviceException cause) {
      // The test's next wait ends with its own message.
    }
  }
}
