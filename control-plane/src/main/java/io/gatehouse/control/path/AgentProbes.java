package io.gatehouse.control.path;

import io.gatehouse.control.ask.AgentStreams;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.PathAnswer;
import io.gatehouse.proto.v1.ProbedPath;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Has DPUs measure paths, asked over their agents' streams, if those are here. */
public final class AgentProbes {
  /** A search takes up to 12 s, to find a silent hop 8 s more. */
  private static final Duration LIMIT = Duration.ofSeconds(40);

  private final AgentStreams agents;

  public AgentProbes(AgentStreams agents) {
    this.agents = agents;
  }

  /**
   * Asks the DPU where a path begins.
   *
   * @param network tests the tunnel of this one only; empty for all
   * @return completes within a bounded time and does not fail: it says why something is missing
   */
  CompletableFuture<ProbedPath> probe(DpuName from, DpuName to, String network) {
    return agents
        .ask(from, LIMIT, session -> session.probePath(to.toString(), network))
        .exceptionally(
            failure -> PathAnswer.newBuilder().setUnavailable(AgentStreams.reason(failure)).build())
        .thenApply(answer -> probed(from, to, answer));
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
}
