package io.gatehouse.control.isolation;

import io.gatehouse.control.fleet.DpuStatusStore;
import io.gatehouse.control.publish.Publisher;
import io.gatehouse.control.publish.SyncSession;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.IsolationAnswer;
import io.gatehouse.proto.v1.IsolationProof;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks DPUs for proofs over their agents' streams, if those are here. */
public final class AgentProofs {
  private static final long DEADLINE_SECONDS = 120;

  private final Publisher publisher;
  private final DpuStatusStore store;

  public AgentProofs(Publisher publisher, DpuStatusStore store) {
    this.publisher = publisher;
    this.store = store;
  }

  /**
   * Asks a DPU.
   *
   * @param scope a tenant; empty for all ports
   * @return completes within a bounded time and does not fail: the answer says why there is none
   */
  CompletableFuture<IsolationAnswer> ask(DpuName dpu, String scope) {
    Optional<SyncSession> session = publisher.session(dpu);
    if (session.isEmpty()) {
      return CompletableFuture.completedFuture(
          none(
              store.isConnected(dpu)
                  ? dpu + " is connected to another control plane; ask there"
                  : dpu + " is not connected"));
    }
    return session
        .get()
        .prove(scope)
        .orTimeout(DEADLINE_SECONDS, TimeUnit.SECONDS)
        .exceptionally(failure -> none(reason(dpu, failure)));
  }

  /** The newest proof that a DPU has reported. */
  Optional<IsolationProof> newest(DpuName dpu) {
    return store.proof(dpu);
  }

  private static IsolationAnswer none(String why) {
    return IsolationAnswer.newBuilder().setUnavailable(why).build();
  }

  private static String reason(DpuName dpu, Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause instanceof TimeoutException
        ? dpu + " has not answered within " + DEADLINE_SECONDS + " s"
        : String.valueOf(cause.getMessage());
  }
}
