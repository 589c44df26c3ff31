package io.gatehouse.control.publish;

import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.ExplainAnswer;
import io.gatehouse.proto.v1.ExplainQuery;
import io.gatehouse.proto.v1.IsolationAnswer;
import io.gatehouse.proto.v1.IsolationQuery;
import io.gatehouse.proto.v1.PathAnswer;
import io.gatehouse.proto.v1.PathQuery;
import io.gatehouse.proto.v1.PortObservation;
import io.gatehouse.proto.v1.SyncResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/** The questions that one agent is asked, until they are answered. Used by one thread at a time. */
final class AgentQuestions {
  /** Questions of a kind that one agent is asked at a time. */
  static final int MAX_PENDING = 16;

  private final DpuName dpu;
  private final SyncOutbound out;
  private final Map<Long, CompletableFuture<PortObservation>> ports = new HashMap<>();
  private final Map<Long, CompletableFuture<IsolationAnswer>> proofs = new HashMap<>();
  private final Map<Long, CompletableFuture<PathAnswer>> paths = new HashMap<>();
  private long lastId;

  AgentQuestions(DpuName dpu, SyncOutbound out) {
    this.dpu = dpu;
    this.out = out;
  }

  CompletableFuture<PortObservation> explain(String port) {
    ExplainQuery.Builder query = ExplainQuery.newBuilder().setPort(port);
    return ask(
        ports, id -> SyncResponse.newBuilder().setExplainQuery(query.setQueryId(id)).build());
  }

  CompletableFuture<IsolationAnswer> prove(String scope) {
    IsolationQuery.Builder query = IsolationQuery.newBuilder().setScope(scope);
    return ask(
        proofs, id -> SyncResponse.newBuilder().setIsolationQuery(query.setQueryId(id)).build());
  }

  CompletableFuture<PathAnswer> probePath(String peer, String network) {
    PathQuery.Builder query = PathQuery.newBuilder().setPeer(peer).setNetwork(network);
    return ask(paths, id -> SyncResponse.newBuilder().setPathQuery(query.setQueryId(id)).build());
  }

  /** Completes the question, if the answer is in bounds; one nobody waits for is dropped. */
  void answered(ExplainAnswer answer) {
    AgentMessageBounds.check(answer);
    complete(ports, answer.getQueryId(), answer.getObservation());
  }

  /** As above, but for the bounds: it is a proof that may have come unasked. */
  void answered(IsolationAnswer answer) {
    complete(proofs, answer.getQueryId(), answer);
  }

  /** As above. */
  void answered(PathAnswer answer) {
    AgentMessageBounds.check(answer);
    complete(paths, answer.getQueryId(), answer);
  }

  void failAll(RuntimeException reason) {
    failAll(ports, reason);
    failAll(proofs, reason);
    failAll(paths, reason);
  }

  private static <A> void failAll(
      Map<Long, CompletableFuture<A>> pending, RuntimeException reason) {
    pending.values().forEach(question -> question.completeExceptionally(reason));
    pending.clear();
  }

  private <A> CompletableFuture<A> ask(
      Map<Long, CompletableFuture<A>> pending, LongFunction<SyncResponse> query) {
    // One that ran into its deadline is no longer waited for.
    pending.values().removeIf(CompletableFuture::isDone);
    if (pending.size() >= MAX_PENDING) {
      return CompletableFuture.failedFuture(
          StreamEnd.unavailable(dpu + " has too many questions open"));
    }
    CompletableFuture<A> answer = new CompletableFuture<>();
    pending.put(++lastId, answer);
    out.send(query.apply(lastId));
    return answer;
  }

  private static <A> void complete(Map<Long, CompletableFuture<A>> pending, long id, A answer) {
    CompletableFuture<A> question = pending.remove(id);
    if (question != null) {
      question.complete(answer);
    }
  }
}
