package io.gatehouse.control.publish;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Questions to one agent that are not answered yet. Used by one thread at a time. */
final class OpenQuestions<A> {
  /** Questions of a kind that one agent is asked at a time. */
  static final int MAX_PENDING = 16;

  private final Map<Long, CompletableFuture<A>> pending = new HashMap<>();
  private long lastId;

  boolean isFull() {
    // One that ran into its deadline is no longer waited for.
    pending.values().removeIf(CompletableFuture::isDone);
    return pending.size() >= MAX_PENDING;
  }

  /** Remembers a question and gives its id. */
  long add(CompletableFuture<A> answer) {
    pending.put(++lastId, answer);
    return lastId;
  }

  /** Completes the question; an answer nobody waits for any more is dropped. */
  void answered(long id, A answer) {
    CompletableFuture<A> question = pending.remove(id);
    if (question != null) {
      question.complete(answer);
    }
  }

  void failAll(RuntimeException reason) {
    pending.values().forEach(question -> question.completeExceptionally(reason));
    pending.clear();
  }
}
