package io.gatehouse.agent.plan;

import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.state.observed.FlowView;
import io.gatehouse.agent.state.proof.Finding;
import io.gatehouse.agent.state.proof.Proof;
import io.gatehouse.agent.state.proof.Subject;
import io.gatehouse.agent.verify.IsolationProver;
import io.gatehouse.agent.verify.Tracer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Makes provers, and keeps what they say. */
final class ProofLab implements IsolationProver.Listener {
  final BlockingQueue<Proof> proofs = new LinkedBlockingQueue<>();
  final BlockingQueue<List<Finding>> leaks = new LinkedBlockingQueue<>();

  /** A prover that tells this lab; not started. */
  IsolationProver prover(Tracer tracer) {
    return new IsolationProver(tracer, this, InstantSource.system(), System::nanoTime);
  }

  /** A scenario's plan, with the flows that the switch is said to have. */
  static Subject subject(Scenario scenario, List<Flow> found) {
    Map<Long, List<Flow>> byCookie = new HashMap<>();
    found.forEach(
        flow -> byCookie.computeIfAbsent(flow.cookie(), c -> new ArrayList<>()).add(flow));
    return new Subject(
        scenario.policy(), scenario.plan(), scenario.facts(), new FlowView(byCookie, Set.of()));
  }

  @Override
  public void proved(Proof proof) {
    proofs.add(proof);
  }

  @Override
  public void leaked(List<Finding> found) {
    leaks.add(found);
  }
}
