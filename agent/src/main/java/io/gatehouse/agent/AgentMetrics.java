package io.gatehouse.agent;

import io.gatehouse.agent.reconcile.ReconcileMeter;
import io.gatehouse.agent.state.Health;
import io.gatehouse.agent.state.MeterKind;
import io.gatehouse.agent.state.PipelineTable;
import io.gatehouse.agent.state.proof.Finding;
import io.gatehouse.agent.state.proof.Proof;
import io.gatehouse.agent.subscribe.PolicyRefusedException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;

/**
 * The agent's metrics; docs/operations.md says what each is for. Gauges hold what they read:
 * Micrometer forgets what nobody else holds, and then says NaN, at which no alert fires.
 */
final class AgentMetrics implements ReconcileMeter {
  private final MeterRegistry registry;
  private final Counter writes;
  private final Counter drift;
  private final Counter failures;
  private final Map<PolicyRefusedException.Reason, Counter> refusals =
      new EnumMap<>(PolicyRefusedException.Reason.class);
  private final Map<Finding.Method, Counter> leaks = new EnumMap<>(Finding.Method.class);
  private final Counter walked;
  private final Counter traced;
  private final Timer apply;
  private volatile Health health = Health.UNKNOWN;

  AgentMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.writes =
        Counter.builder("gatehouse.agent.writes")
            .description("Single changes written to devices")
            .register(registry);
    this.drift =
        Counter.builder("gatehouse.agent.drift.repairs")
            .description("Rounds that set right what others had changed")
            .register(registry);
    this.failures =
        Counter.builder("gatehouse.agent.write.failures")
            .description("Rounds in which a device could not be written")
            .register(registry);
    this.apply =
        Timer.builder("gatehouse.agent.apply.duration")
            .description("From the receipt of a revision to its read-back")
            .publishPercentileHistogram()
            .minimumExpectedValue(Duration.ofMillis(1))
            .maximumExpectedValue(Duration.ofSeconds(60))
            .register(registry);
    this.walked = packets("walk");
    this.traced = packets("trace");
    for (Finding.Method method : Finding.Method.values()) {
      leaks.put(
          method,
          Counter.builder("gatehouse.isolation.leaks")
              .description("Leaks that proofs of isolation have found")
              .tag("method", method.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
    for (PolicyRefusedException.Reason reason : PolicyRefusedException.Reason.values()) {
      refusals.put(
          reason,
          Counter.builder("gatehouse.policy.refused")
              .description("Policies not taken over, from the stream or the disk")
              .tag("reason", reason.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
    gauge("gatehouse.agent.revision.held", "Newest revision held", Health::heldRevision);
    gauge("gatehouse.agent.revision.applied", "Newest revision read back", Health::appliedRevision);
    gauge("gatehouse.agent.problems", "Resources not in force", h -> h.problems().size());
    for (PipelineTable table : PipelineTable.values()) {
      Gauge.builder("gatehouse.agent.flows", this, m -> flows(m.health, table))
          .strongReference(true)
          .description("Flows read back")
          .tag("table", table.name())
          .register(registry);
    }
    for (Health.Part part : Health.Part.values()) {
      Gauge.builder("gatehouse.agent.component.ok", this, m -> isOk(m.health, part) ? 1 : 0)
          .strongReference(true)
          .description("1 if the part of the data plane is as planned, by read-back")
          .tag("component", part.name())
          .register(registry);
    }
  }

  /** Registers what meters have dropped, by their kind. */
  void meterDrops(ToDoubleFunction<MeterKind> drops) {
    for (MeterKind kind : MeterKind.values()) {
      FunctionCounter.builder("gatehouse.agent.meter.drops", kind, drops)
          .description("Packets dropped by the meters of ports")
          .tag("kind", kind.name().toLowerCase(Locale.ROOT))
          .register(registry);
    }
  }

  /** Registers how long the policy held may be out of date, in seconds. */
  void syncAge(DoubleSupplier seconds) {
    Gauge.builder("gatehouse.agent.sync.age", seconds, DoubleSupplier::getAsDouble)
        .strongReference(true)
        .description(
            "Since the stream to the control plane was lost; 0 while open, NaN if it never was")
        .baseUnit("seconds")
        .register(registry);
  }

  /** Registers how long the certificate is still valid, in seconds. */
  void certificateExpiry(DoubleSupplier seconds) {
    Gauge.builder("gatehouse.certificate.expiry", seconds, DoubleSupplier::getAsDouble)
        .strongReference(true)
        .description("Until the certificate expires; below 0 if it has, NaN if there is none")
        .baseUnit("seconds")
        .register(registry);
  }

  /** Registers how old the newest proof of isolation is, in seconds. */
  void proofAge(DoubleSupplier seconds) {
    Gauge.builder("gatehouse.isolation.proof.age", seconds, DoubleSupplier::getAsDouble)
        .strongReference(true)
        .description("Since the newest proof of isolation; NaN if there was none")
        .baseUnit("seconds")
        .register(registry);
  }

  void proved(Proof proof) {
    walked.increment((double) proof.reach().walked());
    traced.increment((double) proof.reach().traced());
  }

  void leaked(List<Finding> found) {
    found.forEach(finding -> Objects.requireNonNull(leaks.get(finding.method())).increment());
  }

  void policyRefused(PolicyRefusedException.Reason reason) {
    Objects.requireNonNull(refusals.get(reason)).increment();
  }

  void health(Health now) {
    health = now;
  }

  long writeCount() {
    return (long) writes.count();
  }

  long driftCount() {
    return (long) drift.count();
  }

  @Override
  public void applied(long nanos) {
    apply.record(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void writes(int count) {
    writes.increment(count);
  }

  @Override
  public void drift() {
    drift.increment();
  }

  @Override
  public void failure() {
    failures.increment();
  }

  private Counter packets(String method) {
    return Counter.builder("gatehouse.isolation.packets")
        .description("Packets that proofs of isolation have looked at")
        .tag("method", method)
        .register(registry);
  }

  private interface Reading {
    long of(Health health);
  }

  private void gauge(String name, String description, Reading reading) {
    Gauge.builder(name, this, m -> reading.of(m.health))
        .strongReference(true)
        .description(description)
        .register(registry);
  }

  private static int flows(Health health, PipelineTable table) {
    Map<Integer, Integer> counts = health.flowsByTable();
    return counts.getOrDefault(table.number(), 0);
  }

  private static boolean isOk(Health health, Health.Part part) {
    return health.components().stream()
        .anyMatch(c -> c.part() == part && c.state() == Health.State.OK);
  }
}
