package io.gatehouse.agent.report;

import io.gatehouse.agent.state.proof.Proof;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.proto.v1.IsolationAnswer;
import io.gatehouse.proto.v1.IsolationProof;
import io.gatehouse.proto.v1.IsolationQuery;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;

/** Answers who asks for a proof of isolation. */
public final class ProofDesk {
  private final DpuName dpu;
  private final Function<Predicate<PortName>, CompletableFuture<Proof>> prover;

  /**
   * Makes a desk.
   *
   * @param prover proves the isolation of the ports that it is given
   */
  public ProofDesk(DpuName dpu, Function<Predicate<PortName>, CompletableFuture<Proof>> prover) {
    this.dpu = dpu;
    this.prover = prover;
  }

  /**
   * Proves.
   *
   * @param scope a tenant's name; empty for all ports
   */
  public CompletableFuture<IsolationProof> prove(String scope) {
    Predicate<PortName> ports = port -> true;
    if (!scope.isEmpty()) {
      try {
        TenantName tenant = TenantName.parse(scope);
        ports = port -> port.network().tenant().equals(tenant);
      } catch (InvalidValueException e) {
        return CompletableFuture.failedFuture(e);
      }
    }
    return prover.apply(ports).thenApply(proof -> ProofReporter.proof(dpu, proof));
  }

  /** Answers a question of the control plane; the future does not fail. */
  public CompletableFuture<IsolationAnswer> answer(IsolationQuery query) {
    IsolationAnswer.Builder answer = IsolationAnswer.newBuilder().setQueryId(query.getQueryId());
    return prove(query.getScope())
        .thenApply(proof -> answer.setProof(proof).build())
        .exceptionally(
            failure -> {
              Throwable cause = failure.getCause() == null ? failure : failure.getCause();
              return answer
                  .setUnavailable(AckReporter.cut(String.valueOf(cause.getMessage())))
                  .build();
            });
  }
}
