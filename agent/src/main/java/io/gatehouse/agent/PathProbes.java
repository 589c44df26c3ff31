package io.gatehouse.agent;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.traceroute.TracerouteClient;
import io.gatehouse.agent.path.PathPace;
import io.gatehouse.agent.path.PathPartners;
import io.gatehouse.agent.path.PathTable;
import io.gatehouse.agent.probe.HopFinder;
import io.gatehouse.agent.probe.PathExaminer;
import io.gatehouse.agent.probe.PathProber;
import io.gatehouse.agent.probe.ProbeSockets;
import io.gatehouse.agent.reconcile.PathLimits;
import io.gatehouse.agent.report.PathDesk;
import io.gatehouse.agent.report.PathReporter;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.path.PathStatus;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.proto.v1.PathReport;
import io.netty.channel.EventLoopGroup;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The prober of underlay paths, wired to the policy, the tunnels, the metrics and the report.
 *
 * <p>What is measured is told to the control plane from {@link #start} on.
 */
final class PathProbes implements AutoCloseable, PathProber.Listener {
  private final IpAddress own;
  private final PathProber prober;
  private final HopFinder hops;
  private final PathDesk desk;
  private final Told told;
  private volatile SortedMap<DpuName, PathStatus> paths = Collections.emptySortedMap();
  private volatile Consumer<PathReport> reports = report -> {};

  /**
   * Who hears what is known of the paths, besides the control plane.
   *
   * @param limits what the plan is made with
   */
  record Told(PathMetrics metrics, PathLimits limits) {}

  /**
   * Wires a prober.
   *
   * @param config says which VTEP is this DPU's, and where the probes of all DPUs arrive
   * @param hosts the way into the tunnels and out of them
   * @param policy that is in force
   */
  PathProbes(
      AgentConfig config,
      EventLoopGroup loops,
      HostServices hosts,
      Supplier<Policy> policy,
      Told told) {
    this.own = config.site().vtep();
    this.told = told;
    // Who cannot see a probe cannot guess what its answer must say.
    SecureRandom random = new SecureRandom();
    this.prober =
        new PathProber(
            listener ->
                ProbeSockets.open(own, config.probePort(), loops, listener, System::nanoTime),
            new PathTable(
                ProbeSockets.FLOWS, PathPace.DEFAULT, random::nextLong, System.nanoTime()),
            hosts::sendThroughTunnel,
            this);
    this.hops = new HopFinder(own, new Traceroute(), System::nanoTime, this::report);
    this.desk = new PathDesk(new PathExaminer(policy, prober, hops, random::nextLong)::examine);
    hosts.tunnelTestsTo(prober::tunnelTestArrived);
  }

  /**
   * Begins.
   *
   * @param listener takes what is to be told to the control plane
   */
  void start(Consumer<PathReport> listener) {
    reports = listener;
    told.metrics().pathsChanged(Collections.emptySortedMap());
    prober.start();
  }

  /** Measures paths for those who ask. */
  PathDesk desk() {
    return desk;
  }

  /** The DPUs to probe are those of this policy. */
  void aim(Policy policy) {
    prober.aim(PathPartners.of(policy, own));
  }

  @Override
  public void close() {
    prober.close();
    hops.close();
  }

  @Override
  public void pathsChanged(SortedMap<DpuName, PathStatus> now) {
    paths = now;
    told.metrics().pathsChanged(now);
    hops.look(now);
    report();
  }

  /** Two threads do, and what was known before must not come last. */
  private synchronized void report() {
    reports.accept(PathReporter.report(paths, hops.known()));
  }

  @Override
  public void limitsChanged(SortedMap<IpAddress, Integer> limits) {
    told.metrics().limitsChanged(limits);
    told.limits().set(limits);
  }

  @Override
  public void sent(int count) {
    told.metrics().sent(count);
  }

  @Override
  public void answered() {
    told.metrics().answered();
  }

  /** The tool that names hops. */
  private static final class Traceroute implements HopFinder.Tracer {
    private final TracerouteClient client = new TracerouteClient();

    @Override
    public String trace(IpAddress own, IpAddress to, int sizeBytes) throws DeviceException {
      return client.trace(own, to, sizeBytes);
    }

    @Override
    public void close() {
      client.close();
    }
  }
}
