package io.gatehouse.control.publish;

import java.util.concurrent.TimeUnit;

/** A token bucket over the messages of one stream. Used by one thread at a time. */
final class MessageRate {
  /** Far above what an agent has to say; acks follow changes, and changes are coalesced. */
  static final int PER_SECOND = 1_000;

  static final int BURST = 2_000;

  private static final long NANOS_PER_MESSAGE = TimeUnit.SECONDS.toNanos(1) / PER_SECOND;

  private long lastNanos;
  private long credit = BURST * NANOS_PER_MESSAGE;

  /**
   * @param nowNanos a monotonic clock
   */
  MessageRate(long nowNanos) {
    this.lastNanos = nowNanos;
  }

  /** Counts one message; false if it is one too many. */
  boolean allows(long nowNanos) {
    credit = Math.min(credit + (nowNanos - lastNanos), BURST * NANOS_PER_MESSAGE);
    lastNanos = nowNanos;
    if (credit < NANOS_PER_MESSAGE) {
      return false;
    }
    credit -= NANOS_PER_MESSAGE;
    return true;
  }
}
