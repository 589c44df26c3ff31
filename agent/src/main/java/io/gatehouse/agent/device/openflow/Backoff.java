package io.gatehouse.agent.device.openflow;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * Pauses between attempts: they double up to a cap, and each is between half and all of its length,
 * so that many clients do not come back together. For one thread.
 */
final class Backoff {
  private final Duration first;
  private final Duration max;
  private final DoubleSupplier jitter;
  private Duration next;

  /**
   * @param jitter gives numbers from 0 to below 1
   */
  Backoff(Duration first, Duration max, DoubleSupplier jitter) {
    this.first = first;
    this.max = max;
    this.jitter = jitter;
    this.next = first;
  }

  Duration next() {
    Duration pause = next.compareTo(max) < 0 ? next : max;
    Duration doubled = pause.multipliedBy(2);
    next = doubled.compareTo(max) < 0 ? doubled : max;
    long nanos = pause.toNanos();
    return Duration.ofNanos((long) (nanos * (0.5 + jitter.getAsDouble() / 2)));
  }

  void reset() {
    next = first;
  }
}
