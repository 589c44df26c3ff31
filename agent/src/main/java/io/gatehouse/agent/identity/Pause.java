package io.gatehouse.agent.identity;

import io.gatehouse.runtime.Backoff;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** A pause that grows with each failure. For one thread. */
final class Pause {
  private final RandomGenerator random;
  private final LongSupplier nanoClock;
  private int failures;
  private long endNanos;

  /**
   * No pause.
   *
   * @param nanoClock a monotonic clock
   */
  Pause(RandomGenerator random, LongSupplier nanoClock) {
    this.random = random;
    this.nanoClock = nanoClock;
    reset();
  }

  boolean isOver() {
    return nanoClock.getAsLong() - endNanos >= 0;
  }

  void after(Backoff backoff) {
    endNanos = nanoClock.getAsLong() + backoff.delay(failures++, random).toNanos();
  }

  void reset() {
    failures = 0;
    endNanos = nanoClock.getAsLong();
  }
}
