package io.gatehouse.control.publish;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongConsumer;

/**
 * Times from a change to the ack that verifies it, of one session. Used by one thread at a time.
 */
final class AckLatency {
  /** Changes whose ack is awaited; further ones are not timed. */
  private static final int MAX_PENDING = 64;

  private record Pending(long revision, long sinceNanos) {}

  private final Deque<Pending> pending = new ArrayDeque<>();

  void sent(long revision, long sinceNanos) {
    if (pending.size() < MAX_PENDING) {
      pending.add(new Pending(revision, sinceNanos));
    }
  }

  /** Gives the time of each change up to the applied revision, in nanoseconds. */
  void acked(long appliedRevision, long nowNanos, LongConsumer latency) {
    while (!pending.isEmpty() && pending.element().revision() <= appliedRevision) {
      latency.accept(nowNanos - pending.remove().sinceNanos());
    }
  }
}
