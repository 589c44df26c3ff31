package io.gatehouse.agent;

import io.gatehouse.agent.path.PathPace;
import io.gatehouse.agent.path.PathPartners;
import io.gatehouse.agent.path.PathTable;
import io.gatehouse.agent.probe.PathProber;
import io.gatehouse.agent.probe.ProbeSockets;
import io.gatehouse.agent.reconcile.PathLimits;
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

/** The prober of underlay paths, wired to the policy, the metrics and the report. */
final class PathProbes implements AutoCloseable, PathProber.Listener {
  private final IpAddress own;
  private final PathProber prober;
  private final Told told;

  /**
   * Who hears what is known of the paths.
   *
   * @param limits what the plan is made with
   * @param reports takes what is to be told to the control plane
   */
  record Told(PathMetrics metrics, PathLimits limits, Consumer<PathReport> reports) {}

  /**
   * Wires a prober.
   *
   * @param own address of this DPU's VTEP
   * @param port where the probes of all DPUs arrive
   */
  PathProbes(IpAddress own, int port, EventLoopGroup loops, Told told) {
    this.own = own;
    this.told = told;
    // Who cannot see a probe cannot guess what its answer must say.
    SecureRandom random = new SecureRandom();
    this.prober =
        new PathProber(
            listener -> ProbeSockets.open(own, port, loops, listener, System::nanoTime),
            new PathTable(
                ProbeSockets.FLOWS, PathPace.DEFAULT, random::nextLong, System.nanoTime()),
            this);
  }

  void start() {
    told.metrics().pathsChanged(Collections.emptySortedMap());
    prober.start();
  }

  /** The DPUs to probe are those of this policy. */
  void aim(Policy policy) {
    prober.aim(PathPartners.of(policy, own));
  }

  @Override
  public void close() {
    prober.close();
  }

  @Override
  public void pathsChanged(SortedMap<DpuName, PathStatus> paths) {
    told.metrics().pathsChanged(paths);
    told.reports().accept(PathReporter.report(paths));
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
}
