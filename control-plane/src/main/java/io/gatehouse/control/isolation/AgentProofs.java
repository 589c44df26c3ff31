package io.gatehouse.control.isolation;

import io.gatehouse.control.ask.AgentStreams;
import io.gatehouse.control.fleet.DpuStatusStore;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.IsolationAnswer;
import io.gatehouse.proto.v1.IsolationProof;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Asks DPUs for proofs over their agents' streams, if those are here. */
public final class AgentProofs {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final AgentStreams agents;
  private final DpuStatusStore store;

  public AgentProofs(AgentStreams agents, DpuStatusStore store) {
    this.agents = agents;
    this.store = store;
  }

  /**
   * Asks a DPU.
   *
   * @param scope a tenant; empty for all ports
   * @return completes within a bounded time and does not fail: the answer says why there is none
   */
  CompletableFuture<IsolationAnswer> ask(DpuName dpu, String scope) {
    return agents
        .ask(dpu, LIMIT, session -> session.prove(scope))
        .exceptionally(
            failure ->
                IsolationAnswer.newBuilder().setUnavailable(AgentStreams.reason(failure)).build());
  }

  /** The newest proof that a DPU has reported. */
  Optional<IsolationProof> newest(DpuName dpu) {
    return store.proof(dpu);
  }
}
