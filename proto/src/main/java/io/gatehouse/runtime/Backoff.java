package io.gatehouse.runtime;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Delays between attempts: they double from the first to the cap, and each is drawn from the upper
 * half of its step, so that many callers that failed together do not come back together.
 *
 * @param first step of attempt 0, above zero
 * @param cap largest step, not below the first
 */
public record Backoff(Duration first, Duration cap) {
  public Backoff {
    if (first.isNegative() || first.isZero() || cap.compareTo(first) < 0) {
      throw new IllegalArgumentException("backoff " + first + ".." + cap + " is not ascending");
    }
  }

  /**
   * The delay before the next try.
   *
   * @param attempt how many tries have failed since the last success, minus one; 0 or more
   * @param random source of the jitter
   */
  public Duration delay(int attempt, RandomGenerator random) {
    if (attempt < 0) {
      throw new IllegalArgumentException("attempt " + attempt + " is negative");
    }
    long step = step(attempt);
    return Duration.ofNanos(step - random.nextLong(step / 2 + 1));
  }

  private long step(int attempt) {
    long limit = cap.toNanos();
    long step = first.toNanos();
    for (int i = 0; i < attempt && step < limit; i++) {
      step = step > limit / 2 ? limit : step * 2;
    }
    return Math.min(step, limit);
  }
}
