package io.gatehouse.agent;

import io.gatehouse.agent.path.PathPace;
import io.gatehouse.agent.path.PathPartners;
import io.gatehouse.agent.path.PathTable;
import io.gatehouse.agent.probe.PathProber;
import io.gatehouse.agent.probe.ProbeSockets;
import io.gatehouse.agent.report.PathReporter;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.path.PathState;
import io.gatehouse.agent.state.path.PathStatus;
import io.gatehouse.agent.state.path.PathVerdict;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.proto.v1.PathReport;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.netty.channel.EventLoopGroup;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Collections;
import java.util.Locale;
import java.util.SortedMap;
import java.util.function.Consumer;

/** The prober of underlay paths, wired to the policy, the metrics and the report. */
final class PathProbes implements AutoCloseable, PathProber.Listener {
  private final IpAddress own;
  private final PathProber prober;
  private final Consumer<PathReport> reports;
  private final Counter sent;
  private final Counter answered;
  private final MultiGauge proven;
  private final MultiGauge states;

  /**
   * Wires a prober.
   *
   * @param own address of this DPU's VTEP
   * @param port where the probes of all DPUs arrive
   * @param reports takes what is to be told to the control plane
   */
  PathProbes(
      IpAddress own,
      int port,
      EventLoopGroup loops,
      MeterRegistry registry,
      Consumer<PathReport> reports) {
    this.own = own;
    this.reports = reports;
    // Who cannot see a probe cannot guess what its answer must say.
    SecureRandom random = new SecureRandom();
    this.prober =
        new PathProber(
            listener -> ProbeSockets.open(own, port, loops, listener, System::nanoTime),
            new PathTable(
                ProbeSockets.FLOWS, PathPace.DEFAULT, random::nextLong, System.nanoTime()),
            this);
    this.sent =
        Counter.builder("gatehouse.agent.path.probes")
            .description("Probes sent to other DPUs")
            .register(registry);
    this.answered =
        Counter.builder("gatehouse.agent.path.answers")
            .description("Probes that other DPUs have answered")
            .register(registry);
    this.proven =
        MultiGauge.builder("gatehouse.agent.path.proven")
            .description("Largest IP packet that has reached another DPU")
            .baseUnit("bytes")
            .register(registry);
    this.states =
        MultiGauge.builder("gatehouse.agent.paths")
            .description("Paths to other DPUs by what is known of them")
            .register(registry);
  }

  void start() {
    pathsChanged(Collections.emptySortedMap());
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
    proven.register(
        paths.entrySet().stream()
            .map(
                entry ->
                    MultiGauge.Row.of(
                        Tags.of("peer", entry.getKey().dpu()),
                        (double) entry.getValue().verdict().provenBytes()))
            .toList(),
        true);
    states.register(
        Arrays.stream(PathState.values()).map(state -> row(state, paths)).toList(), true);
    reports.accept(PathReporter.report(paths));
  }

  private static MultiGauge.Row<Number> row(PathState state, SortedMap<DpuName, PathStatus> paths) {
    long count =
        paths.values().stream()
            .map(PathStatus::verdict)
            .map(PathVerdict::state)
            .filter(state::equals)
            .count();
    return MultiGauge.Row.of(Tags.of("state", state.name().toLowerCase(Locale.ROOT)), count);
  }

  @Override
  public void sent(int count) {
    sent.increment(count);
  }

  @Override
  public void answered() {
    answered.increment();
  }
}
