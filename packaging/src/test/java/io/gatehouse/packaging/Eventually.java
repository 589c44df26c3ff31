package io.gatehouse.packaging;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Waits for what is told by no event: asks again and again, up to a limit that only ends a hang.
 */
public final class Eventually {
  /** Far more than anything takes, also on a machine that does ten other things. */
  public static final Duration LIMIT = Duration.ofMinutes(2);

  private static final long PAUSE_MILLIS = 100;

  private Eventually() {}

  /** Returns once the condition holds. */
  public static void holds(String what, BooleanSupplier condition) {
    holds(what, condition, () -> "");
  }

  /** Returns once the condition holds; {@code state} is asked when it never did. */
  public static void holds(String what, BooleanSupplier condition, Supplier<String> state) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within " + LIMIT + ": " + what + "\n" + state.get());
      }
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted while waiting: " + what, e);
      }
    }
  }
}
