package io.gatehouse.control.testing;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for what no event tells. */
public final class Eventually {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  private Eventually() {}

  /** Returns when the condition holds; fails at the deadline. */
  public static void holds(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + DEADLINE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within " + DEADLINE + ": " + what);
      }
      pause();
    }
  }

  /** A few milliseconds, where what is awaited gives no sign. */
  public static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(5);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
