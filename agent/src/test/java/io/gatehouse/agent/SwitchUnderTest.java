package io.gatehouse.agent;

import io.gatehouse.agent.apply.BridgeApplier;
import io.gatehouse.agent.apply.ConnectionLimitApplier;
import io.gatehouse.agent.apply.FlowApplier;
import io.gatehouse.agent.apply.MeterApplier;
import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.TestNamespace;
import io.gatehouse.agent.device.openflow.VswitchdProcess;
import io.gatehouse.agent.device.ovsdb.OvsdbAddress;
import io.gatehouse.agent.fixture.CountingMeter;
import io.gatehouse.agent.fixture.RandomPolicies;
import io.gatehouse.agent.observe.BridgeObserver;
import io.gatehouse.agent.reconcile.Devices;
import io.gatehouse.agent.reconcile.Reconciler;
import io.gatehouse.agent.reconcile.Target;
import io.gatehouse.agent.reconcile.Wakeups;
import io.gatehouse.agent.state.Facts;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.PortZone;
import io.gatehouse.agent.state.Site;
import io.gatehouse.agent.state.change.BridgeChange;
import io.gatehouse.agent.state.change.ConnectionLimitChange;
import io.gatehouse.agent.state.change.FlowChange;
import io.gatehouse.agent.state.change.KernelChange;
import io.gatehouse.agent.state.change.MeterChange;
import io.gatehouse.agent.state.observed.BridgeView;
import io.gatehouse.agent.state.observed.ConnectionLimitView;
import io.gatehouse.agent.state.observed.KernelView;
import io.gatehouse.agent.state.observed.Observation;
import io.gatehouse.agent.state.observed.Observed;
import io.gatehouse.agent.state.observed.PortView;
import io.gatehouse.model.policy.PolicyResource;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * A real Open vSwitch with hosts in namespaces of their own, kept in order by the real loop. Only
 * the DPU's own network stack is a fake: its namespace has no address that could answer for a host.
 */
final class SwitchUnderTest implements AutoCloseable {
  private static final Site SITE = RandomPolicies.SITE;
  private static final long SETTLE_SECONDS = 60;

  private final VswitchdProcess vswitchd = VswitchdProcess.start("ghsg");
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  private final Wakeups wakeups = new Wakeups();
  private final SwitchConnection connection;
  private final RealSwitch devices;
  private final Map<String, TestNamespace> hosts = new TreeMap<>();
  private Reconciler reconciler;
  private long revision;

  SwitchUnderTest() {
    AgentConfig.Ovs settings =
        new AgentConfig.Ovs(
            OvsdbAddress.parse("unix:" + vswitchd.databaseSocket()),
            vswitchd.directory(),
            Optional.empty());
    connection = new SwitchConnection(settings, SITE.datapath(), loops, () -> 0, wakeups);
    connection.start();
    devices = new RealSwitch();
    reconciler = newReconciler();
  }

  private Reconciler newReconciler() {
    return new Reconciler(SITE, devices, new CountingMeter());
  }

  /** A new host behind function and device of the same number. */
  TestNamespace addHost(int number, String address) throws Exception {
    TestNamespace host = new TestNamespace();
    String device = device(number);
    hosts.put(device, host);
    String dpu = vswitchd.namespace();
    vswitchd.run(
        List.of(
            "ip",
            "link",
            "add",
            "eth0",
            "netns",
            host.name(),
            "type",
            "veth",
            "peer",
            "name",
            device,
            "netns",
            dpu));
    host.sh("ip link set dev eth0 address " + mac(number));
    host.sh("ip addr add " + address + "/24 dev eth0");
    host.sh("ip link set dev eth0 up");
    // Checksums left to hardware never come right in a userspace datapath.
    host.sh("ethtool -K eth0 tx off tso off gso off gro off");
    vswitchd.run(
        List.of(
            "ip",
            "netns",
            "exec",
            dpu,
            "sysctl",
            "-qw",
            "net.ipv6.conf." + device + ".disable_ipv6=1"));
    vswitchd.run(List.of("ip", "-n", dpu, "link", "set", "dev", device, "up"));
    return host;
  }

  static String mac(int number) {
    return "02:00:00:00:00:0" + number;
  }

  static String function(int number) {
    return "f" + number;
  }

  private static String device(int number) {
    return "rep" + number;
  }

  /** Brings a policy in force, by read-back. */
  void settle(PolicyResource... resources) throws InterruptedException {
    revision++;
    Target target = new Target(Policy.of(revision, Arrays.asList(resources)), List.of(), 0);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SETTLE_SECONDS);
    Reconciler.Round round;
    do {
      round = reconciler.run(target, 0);
      if (round.outcome() == Reconciler.Outcome.IN_FORCE) {
        return;
      }
      synchronized (wakeups) {
        wakeups.wait(100);
      }
    } while (System.nanoTime() < end);
    throw new AssertionError("not in force: " + round);
  }

  /** What answers hosts, for this switch; the caller starts and ends it. */
  HostServices hostServices(MeterRegistry registry) {
    return new HostServices(connection, () -> reconciler.view(), registry);
  }

  void restartAgent() {
    reconciler = newReconciler();
    connection.flows().allMayHaveChanged();
  }

  /** What was read does not count any more, as every half minute. */
  void forget() {
    devices.forget();
  }

  VswitchdProcess vswitchd() {
    return vswitchd;
  }

  /** Zones that were flushed, in order. */
  List<Integer> flushed() {
    return devices.flushed;
  }

  @Override
  public void close() throws IOException {
    connection.close();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    vswitchd.close();
    for (TestNamespace host : hosts.values()) {
      host.close();
    }
  }

  private final class RealSwitch implements Devices {
    private final BridgeObserver bridges =
        new BridgeObserver(connection.database(), Optional.empty());
    private final FlowApplier flowApplier = new FlowApplier(connection.openFlow());
    private final MeterApplier meterApplier = new MeterApplier(connection.openFlow());
    private final ConnectionLimitApplier limitApplier = connection.limitApplier();
    private final BridgeApplier bridgeApplier = new BridgeApplier(connection.database(), SITE);
    private final Set<String> guarded = new TreeSet<>();
    private final List<Integer> flushed = new ArrayList<>();

    @Override
    public Observation observe(Collection<String> functions) throws InterruptedException {
      Map<String, String> byFunction = new HashMap<>();
      Map<String, KernelView.Link> links = new HashMap<>();
      for (String device : hosts.keySet()) {
        byFunction.put("f" + device.substring("rep".length()), device);
        links.put(device, new KernelView.Link(1_500, true, true));
      }
      Observed<BridgeView> bridge = bridges.observe(Set.of());
      Facts facts = facts(byFunction, bridge);
      return new Observation(
          bridge,
          connection.meters().observe(),
          facts.zones().isEmpty()
              ? new Observed.Known<>(ConnectionLimitView.NONE)
              : connection.limits().observe(),
          connection.flows().observe(),
          new Observed.Known<>(new KernelView(links, guarded, KernelView.UnderlayView.NOT_KEPT)),
          facts);
    }

    private Facts facts(Map<String, String> byFunction, Observed<BridgeView> bridge) {
      Map<String, Integer> numbers = new HashMap<>();
      Map<String, PortZone> zones = new HashMap<>();
      if (bridge instanceof Observed.Known<BridgeView> known) {
        for (PortView port : known.value().ports().values()) {
          port.openFlowPort().ifPresent(number -> numbers.put(port.device(), number));
          port.zone().ifPresent(zone -> zones.put(port.device(), zone));
        }
      }
      return new Facts(byFunction, numbers, Map.of(), Map.of(), zones, Map.of(), Optional.empty());
    }

    @Override
    public void forget() {
      connection.flows().allMayHaveChanged();
      connection.meters().mayHaveChanged();
      connection.limits().mayHaveChanged();
    }

    @Override
    public void close(KernelChange change) {
      guarded.addAll(change.guard());
    }

    @Override
    public void open(KernelChange change) {
      change.unguard().forEach(guarded::remove);
    }

    @Override
    public Map<Integer, String> open(MeterChange change)
        throws DeviceException, InterruptedException {
      connection.meters().mayHaveChanged();
      return meterApplier.open(change);
    }

    @Override
    public void close(MeterChange change) throws DeviceException, InterruptedException {
      connection.meters().mayHaveChanged();
      meterApplier.close(change);
    }

    @Override
    public Map<Integer, String> open(ConnectionLimitChange change)
        throws DeviceException, InterruptedException {
      connection.limits().mayHaveChanged();
      return limitApplier.open(change);
    }

    @Override
    public void close(ConnectionLimitChange change) throws DeviceException, InterruptedException {
      connection.limits().mayHaveChanged();
      limitApplier.close(change);
    }

    @Override
    public Map<Long, String> apply(FlowChange change) throws DeviceException, InterruptedException {
      connection.flows().allMayHaveChanged();
      return flowApplier.apply(change);
    }

    @Override
    public void apply(BridgeChange change) throws DeviceException, InterruptedException {
      flushed.addAll(change.newZones());
      flowApplier.flush(change.newZones());
      bridgeApplier.apply(change);
    }
  }
}
