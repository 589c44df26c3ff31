package io.gatehouse.agent.subscribe;

import io.gatehouse.proto.v1.SyncRequest;
import org.jspecify.annotations.Nullable;

/**
 * A message of which only the newest counts: it is sent once on each stream, and what came before
 * it while there was none is never sent.
 */
final class Newest {
  private @Nullable SyncRequest message;
  private @Nullable SyncRequest sent;

  void set(SyncRequest newest) {
    message = newest;
  }

  /** Whoever is at the other end from now on has not heard it. */
  void forgetSent() {
    sent = null;
  }

  void send(@Nullable SyncStream open) {
    SyncRequest newest = message;
    if (open != null && newest != null && !newest.equals(sent)) {
      sent = newest;
      open.send(newest);
    }
  }
}
