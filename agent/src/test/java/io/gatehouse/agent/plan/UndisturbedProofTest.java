package io.gatehouse.agent.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.agent.state.proof.Proof;
import io.gatehouse.agent.state.proof.Subject;
import io.gatehouse.agent.trace.Trace;
import io.gatehouse.agent.verify.IsolationProver;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A proof is of one state of the switch: one that is written to meanwhile proves nothing. */
final class UndisturbedProofTest {
  private final ProofLab lab = new ProofLab();
  private final Semaphore written = new Semaphore(0);
  private final AtomicBoolean writing = new AtomicBoolean(true);

  @Test
  void aProofDuringWhichTheSwitchIsWrittenToIsMadeAgain() throws Exception {
    Scenario scenario = Scenario.named("same-addresses");
    Subject subject = ProofLab.subject(scenario, List.of());
    IsolationProver[] self = new IsolationProver[1];
    try (IsolationProver prover =
        lab.prover(
            packet -> {
              if (writing.compareAndSet(true, false)) {
                self[0].changing();
                written.release();
                // Half written: nothing arrives anywhere.
                return new Trace(List.of(), false, List.of());
              }
              throw new DeviceException(Kind.UNREACHABLE, "the second look");
            })) {
      self[0] = prover;
      prover.start();
      prover.inForce(subject);
      assertThat(written.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
      prover.inForce(subject);
      Proof proof = lab.proofs.poll(60, TimeUnit.SECONDS);
      assertThat(proof).isNotNull();
      assertThat(proof.reach().traceProblem()).isEqualTo("the second look");
      assertThat(proof.findings()).isEmpty();
      assertThat(lab.leaks).isEmpty();
    }
  }
}
