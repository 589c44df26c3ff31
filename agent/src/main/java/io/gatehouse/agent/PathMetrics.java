package io.gatehouse.agent;

import io.gatehouse.agent.probe.PathProber;
import io.gatehouse.agent.state.path.PathState;
import io.gatehouse.agent.state.path.PathStatus;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.IpAddress;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.Arrays;
import java.util.Locale;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicInteger;

/** What is known of the underlay paths, as metrics; docs/operations.md says what each is for. */
final class PathMetrics implements PathProber.Listener {
  private final Counter sent;
  private final Counter answered;
  private final MultiGauge proven;
  private final MultiGauge states;
  private final AtomicInteger limits = new AtomicInteger();

  PathMetrics(MeterRegistry registry) {
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
    Gauge.builder("gatehouse.agent.path.limits", limits, AtomicInteger::doubleValue)
        .description("Other DPUs to which hosts send no more than probes have shown to arrive")
        .register(registry);
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
  }

  @Override
  public void limitsChanged(SortedMap<IpAddress, Integer> now) {
    limits.set(now.size());
  }

  private static MultiGauge.Row<Number> row(PathState state, SortedMap<DpuName, PathStatus> paths) {
    long count = paths.values().stream().filter(path -> path.verdict().state() == state).count();
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
