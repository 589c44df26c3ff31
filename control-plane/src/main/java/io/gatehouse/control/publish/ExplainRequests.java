package io.gatehouse.control.publish;

import io.gatehouse.proto.v1.ExplainAnswer;
import io.gatehouse.proto.v1.PortObservation;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Questions to one agent that are not answered yet. Used by one thread at a time. */
final class ExplainRequests {
  /** Questions that one agent is asked at a time. */
  static final int MAX_PENDING = 16;

  private final Map<Long, CompletableFuture<PortObservation>> pending = new HashMap<>();
  private long lastId;

  boolean isFull() {
    // One that ran into its deadline is no longer waited for.
    pending.values().removeIf(CompletableFuture::isDone);
    return pending.size() >= MAX_PENDING;
  }

  /** Remembers a question and gives its id. */
  long add(CompletableFuture<PortObservation> answer) {
    pending.put(++lastId, answer);
    return lastId;
  }

  /** Completes the question; an answer nobody waits for any more is dropped. */
  void answered(ExplainAnswer answer) {
    CompletableFuture<PortObservation> question = pending.remove(answer.getQueryId());
    if (question != null) {
      question.complete(answer.getObservation());
    }
  }

  void failAll(RuntimeException reason) {
    pending.values().forEach(question -> question.completeExceptionally(reason));
    pending.clear();
  }
}
