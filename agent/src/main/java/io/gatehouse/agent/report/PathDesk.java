package io.gatehouse.agent.report;

import io.gatehouse.agent.state.path.PathMeasurement;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.proto.v1.PathAnswer;
import io.gatehouse.proto.v1.PathQuery;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Answers who asks for a path to be measured now. */
public final class PathDesk {
  private final Examination examination;

  /** Measures a path. */
  public interface Examination {
    /**
     * Measures; the future fails with why it could not.
     *
     * @param only tests the tunnel of this network alone, if it is given
     */
    CompletableFuture<PathMeasurement> examine(DpuName peer, Optional<NetworkName> only);
  }

  public PathDesk(Examination examination) {
    this.examination = examination;
  }

  /** Answers a question of the control plane; the future does not fail. */
  public CompletableFuture<PathAnswer> answer(PathQuery query) {
    PathAnswer.Builder answer = PathAnswer.newBuilder().setQueryId(query.getQueryId());
    return examine(query)
        .thenApply(
            measured -> {
              answer
                  .setPath(PathReporter.path(query.getPeer(), measured.path(), measured.hop()))
                  .setUnavailable(AckReporter.cut(measured.missing()));
              measured.tests().forEach(test -> answer.addTunnelTests(PathReporter.test(test)));
              return answer.build();
            })
        .exceptionally(
            failure -> {
              Throwable cause = failure.getCause() == null ? failure : failure.getCause();
              return answer
                  .setUnavailable(AckReporter.cut(String.valueOf(cause.getMessage())))
                  .build();
            });
  }

  private CompletableFuture<PathMeasurement> examine(PathQuery query) {
    try {
      String network = query.getNetwork();
      return examination.examine(
          DpuName.parse(query.getPeer()),
          network.isEmpty() ? Optional.empty() : Optional.of(NetworkName.parse(network)));
    } catch (InvalidValueException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
