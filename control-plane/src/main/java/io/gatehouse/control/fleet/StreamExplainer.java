package io.gatehouse.control.fleet;

import io.gatehouse.control.api.PortExplainer;
import io.gatehouse.control.publish.Publisher;
import io.gatehouse.control.publish.SyncSession;
import io.gatehouse.model.Port;
import io.gatehouse.proto.v1.PortObservation;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks a port's DPU over its agent's stream, if that is here. */
public final class StreamExplainer implements PortExplainer {
  private static final long DEADLINE_SECONDS = 5;

  private final Publisher publisher;
  private final DpuStatusStore store;

  public StreamExplainer(Publisher publisher, DpuStatusStore store) {
    this.publisher = publisher;
    this.store = store;
  }

  @Override
  public CompletableFuture<PortObservation> explain(Port port) {
    Optional<SyncSession> session = publisher.session(port.dpu());
    if (session.isEmpty()) {
      String where =
          store.isConnected(port.dpu())
              ? " is connected to another control plane; ask there"
              : " is not connected";
      return CompletableFuture.failedFuture(new UnreachableException(port.dpu() + where));
    }
    return session
        .get()
        .explain(port.name())
        .orTimeout(DEADLINE_SECONDS, TimeUnit.SECONDS)
        .exceptionallyCompose(
            failure -> CompletableFuture.failedFuture(unreachable(port, failure)));
  }

  private static UnreachableException unreachable(Port port, Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return new UnreachableException(
        cause instanceof TimeoutException
            ? port.dpu() + " has not answered within " + DEADLINE_SECONDS + " s"
            : String.valueOf(cause.getMessage()));
  }
}
