package io.gatehouse.agent.verify;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.prove.Ground;
import io.gatehouse.agent.prove.Ledger;
import io.gatehouse.agent.prove.Probe;
import io.gatehouse.agent.prove.Probes;
import io.gatehouse.agent.prove.StrangeProbes;
import io.gatehouse.agent.prove.WalkProof;
import io.gatehouse.agent.state.proof.Finding;
import io.gatehouse.agent.state.proof.Finding.Method;
import io.gatehouse.agent.state.proof.Proof;
import io.gatehouse.agent.state.proof.Subject;
import io.gatehouse.model.name.PortName;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** Makes one proof after another, on the thread that calls it. */
final class ProofRun {
  private final Tracer tracer;
  private final InstantSource time;
  private final LongSupplier nanoClock;

  ProofRun(Tracer tracer, InstantSource time, LongSupplier nanoClock) {
    this.tracer = tracer;
    this.time = time;
    this.nanoClock = nanoClock;
  }

  /**
   * Proves what is planned and what runs.
   *
   * @param scope ports that it is about; empty for all
   */
  Proof prove(Subject subject, Set<PortName> scope, Budget budget) throws InterruptedException {
    Ground ground = ground(subject);
    Ledger ledger = new Ledger();
    WalkProof walk = new WalkProof(ground, subject.plan().flows(), ledger);
    Limit walkLimit = new Limit(budget.walk(), Integer.MAX_VALUE);
    long walked = walk.walk(Probes.of(ground, scope), walk.planned(), Method.WALK, walkLimit);
    Limit traceLimit = new Limit(budget.trace(), budget.traces());
    TraceProof trace = new TraceProof(ground, walk, ledger, tracer);
    String problem = "";
    long traced = 0;
    try {
      traced = trace.trace(Probes.of(ground, scope), traceLimit);
    } catch (DeviceException e) {
      problem = String.valueOf(e.getMessage());
    }
    List<Flow> unexercised = scope.isEmpty() ? walk.unexercised() : List.of();
    Proof.Reach reach =
        new Proof.Reach(
            walked,
            traced,
            !walkLimit.isReached() && !traceLimit.isReached() && problem.isEmpty(),
            problem,
            unexercised.size());
    return proof(subject, reach, ledger, unexercised);
  }

  private Proof proof(Subject subject, Proof.Reach reach, Ledger ledger, List<Flow> unexercised) {
    Instant now = time.instant();
    return new Proof(
        subject.plan().revision(),
        now,
        reach,
        ledger.cells(),
        ledger.findings(),
        unexercised.stream().limit(Proof.MAX_UNEXERCISED).map(Flow::toString).toList(),
        Evidence.of(subject.plan().revision(), now, subject.found()));
  }

  /** What flows that were there and not planned would have let through. */
  List<Finding> judge(Subject subject, Budget budget) {
    Ground ground = ground(subject);
    Ledger ledger = new Ledger();
    WalkProof walk = new WalkProof(ground, subject.plan().flows(), ledger);
    Collection<Flow> found = new ArrayList<>();
    subject.found().flows().values().forEach(found::addAll);
    List<Flow> strange = found.stream().filter(flow -> !walk.planned().contains(flow)).toList();
    if (strange.isEmpty()) {
      return List.of();
    }
    Stream<Probe> made = strange.stream().flatMap(flow -> StrangeProbes.of(ground, flow));
    walk.walk(made, found, Method.REPAIRED, new Limit(budget.walk(), Integer.MAX_VALUE));
    walk.walk(
        Probes.of(ground, Set.of()),
        found,
        Method.REPAIRED,
        new Limit(budget.walk(), Integer.MAX_VALUE));
    Set<String> names = new HashSet<>();
    strange.forEach(flow -> names.add(flow.toString()));
    return ledger.findings().stream()
        .filter(Finding::leak)
        .filter(finding -> finding.flows().stream().anyMatch(names::contains))
        .toList();
  }

  private static Ground ground(Subject subject) {
    return Ground.of(subject.policy(), subject.facts(), subject.plan().problems());
  }

  /** Says "go on" until the time or the number is used up. */
  private final class Limit implements BooleanSupplier {
    private final long deadline;
    private int left;
    private boolean reached;

    Limit(Duration duration, int count) {
      this.deadline = nanoClock.getAsLong() + duration.toNanos();
      this.left = count;
    }

    @Override
    public boolean getAsBoolean() {
      reached = left-- <= 0 || nanoClock.getAsLong() - deadline >= 0;
      return !reached;
    }

    boolean isReached() {
      return reached;
    }
  }
}
