package io.gatehouse.control.publish;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/** What the streams count. Safe for use by many threads. */
public final class SyncMetrics {
  private static final Duration SHORTEST = Duration.ofNanos(100_000);
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private final MeterRegistry registry;
  private final Map<DeltaTransfer.Kind, Counter> bytes = new EnumMap<>(DeltaTransfer.Kind.class);
  private final Map<DeltaTransfer.Kind, Counter> transfers =
      new EnumMap<>(DeltaTransfer.Kind.class);
  private final DistributionSummary resources;
  private final Timer publish;
  private final Timer verified;
  private final Timer apply;

  public SyncMetrics(MeterRegistry registry) {
    this.registry = registry;
    for (DeltaTransfer.Kind kind : DeltaTransfer.Kind.values()) {
      String label = kind.name().toLowerCase(Locale.ROOT);
      bytes.put(
          kind,
          Counter.builder("gatehouse.sync.config.sent.bytes")
              .description("Policy sent to agents; snapshot and resync are what reconnects cost")
              .tag("kind", label)
              .register(registry));
      transfers.put(
          kind,
          Counter.builder("gatehouse.sync.transfers")
              .description("Policies sent to the end")
              .tag("kind", label)
              .register(registry));
    }
    resources =
        DistributionSummary.builder("gatehouse.sync.transfer.resources")
            .description("Resources added and removed by one transfer")
            .register(registry);
    publish = timer(registry, "gatehouse.publish", "Commit to the last byte given to the stream");
    verified = timer(registry, "gatehouse.verified.ack", "Commit to the DPU's verified ack");
    apply = timer(registry, "gatehouse.agent.apply", "Receipt to read-back, by the agent's clock");
  }

  private static Timer timer(MeterRegistry registry, String name, String description) {
    return Timer.builder(name)
        .description(description)
        .publishPercentileHistogram()
        .minimumExpectedValue(SHORTEST)
        .maximumExpectedValue(LONGEST)
        .register(registry);
  }

  /** Shows what the publisher counts itself; it must live as long as the registry. */
  void gauges(IntSupplier streams, IntSupplier waiting, IntSupplier queued) {
    gauge("gatehouse.sync.streams", "Agents connected here", streams);
    gauge("gatehouse.sync.snapshots.waiting", "Agents that wait for a slot", waiting);
    gauge("gatehouse.publish.queue", "Sessions that wait for a publishing thread", queued);
  }

  private void gauge(String name, String description, IntSupplier value) {
    Gauge.builder(name, value, IntSupplier::getAsInt)
        .description(description)
        .strongReference(true)
        .register(registry);
  }

  void sent(DeltaTransfer.Kind kind, int configBytes) {
    Objects.requireNonNull(bytes.get(kind)).increment(configBytes);
  }

  void finished(DeltaTransfer.Kind kind, int resourceCount) {
    Objects.requireNonNull(transfers.get(kind)).increment();
    resources.record(resourceCount);
  }

  void published(long nanos) {
    publish.record(nanos, TimeUnit.NANOSECONDS);
  }

  void verified(long nanos) {
    verified.record(nanos, TimeUnit.NANOSECONDS);
  }

  void applied(long nanos) {
    apply.record(nanos, TimeUnit.NANOSECONDS);
  }
}
