package io.gatehouse.control.path;

import io.gatehouse.control.fleet.DpuStatusStore;
import io.gatehouse.control.publish.Publisher;
import io.gatehouse.control.publish.SyncSession;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.PathAnswer;
import io.gatehouse.proto.v1.ProbedPath;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Has DPUs measure paths, asked over their agents' streams, if those are here. */
public final class AgentProbes {
  /** A search takes up to 12 s, to find a silent hop 8 s more. */
  private static final long DEADLINE_SECONDS = 40;

  private final Publisher publisher;
  private final DpuStatusStore store;

  public AgentProbes(Publisher publisher, DpuStatusStore store) {
    this.publisher = publisher;
    this.store = store;
  }

  /**
   * Asks the DPU where a path begins.
   *
   * @param network tests the tunnel of this one only; empty for all
   * @return completes within a bounded time and does not fail: it says why something is missing
   */
  CompletableFuture<ProbedPath> probe(DpuName from, DpuName to, String network) {
    return ask(from, to, network).thenApply(answer -> probed(from, to, answer));
  }

  private CompletableFuture<PathAnswer> ask(DpuName from, DpuName to, String network) {
    Optional<SyncSession> session = publisher.session(from);
    if (session.isEmpty()) {
      return CompletableFuture.completedFuture(
          none(
              store.isConnected(from)
                  ? from + " is connected to another control plane; ask there"
                  : from + " is not connected"));
    }
    return session
        .get()
        .probePath(to.toString(), network)
        .orTimeout(DEADLINE_SECONDS, TimeUnit.SECONDS)
        .exceptionally(failure -> none(reason(from, failure)));
  }

  /** Which path it is, the question says. */
  private static ProbedPath probed(DpuName from, DpuName to, PathAnswer answer) {
    ProbedPath.Builder path =
        ProbedPath.newBuilder()
            .setFrom(from.toString())
            .setTo(to.toString())
            .addAllTunnelTests(answer.getTunnelTestsList())
            .setUnavailable(answer.getUnavailable());
    if (answer.hasPath()) {
      path.setPath(answer.getPath().toBuilder().setPeer(to.toString()));
    }
    return path.build();
  }

  private static PathAnswer none(String why) {
    return PathAnswer.newBuilder().setUnavailable(why).build();
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
