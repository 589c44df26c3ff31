package io.gatehouse.control.ask;

import io.gatehouse.control.api.PortExplainer.UnreachableException;
import io.gatehouse.control.fleet.DpuStatusStore;
import io.gatehouse.control.publish.Publisher;
import io.gatehouse.control.publish.SyncSession;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.runtime.Failures;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Asks DPUs over their agents' streams, if those are here. Safe for use by many threads. */
public final class AgentStreams {
  private final Publisher publisher;
  private final DpuStatusStore store;

  public AgentStreams(Publisher publisher, DpuStatusStore store) {
    this.publisher = publisher;
    this.store = store;
  }

  /**
   * Asks a DPU.
   *
   * @param limit for the answer, in whole seconds
   * @return ends within the limit; fails with {@link UnreachableException}, which says why there is
   *     no answer
   */
  public <A> CompletableFuture<A> ask(
      DpuName dpu, Duration limit, Function<SyncSession, CompletableFuture<A>> question) {
    Optional<SyncSession> session = publisher.session(dpu);
    if (session.isEmpty()) {
      String where =
          store.isConnected(dpu)
              ? " is connected to another control plane; ask there"
              : " is not connected";
      return CompletableFuture.failedFuture(new UnreachableException(dpu + where));
    }
    return question
        .apply(session.get())
        .orTimeout(limit.toSeconds(), TimeUnit.SECONDS)
        .exceptionallyCompose(
            failure ->
                CompletableFuture.failedFuture(
                    new UnreachableException(reason(dpu, limit, Failures.cause(failure)))));
  }

  /** What {@link #ask} has failed with, for people. */
  public static String reason(Throwable failure) {
    return String.valueOf(Failures.cause(failure).getMessage());
  }

  private static String reason(DpuName dpu, Duration limit, Throwable cause) {
    return cause instanceof TimeoutException
        ? dpu + " has not answered within " + limit.toSeconds() + " s"
        : String.valueOf(cause.getMessage());
  }
}
