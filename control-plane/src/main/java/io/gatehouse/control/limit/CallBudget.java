package io.gatehouse.control.auth;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * How many calls each principal may make: a token bucket for each, so that a flood of one takes
 * nothing from another. Remembers the newest principals only; one that was forgotten starts with a
 * full bucket. Safe for use by many threads.
 */
public final class CallBudget {
  private static final double NANOS = 1e9;

  private final double perSecond;
  private final double burst;
  private final int remembered;
  private final LongSupplier nanoTime;
  private final Map<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * A budget.
   *
   * @param perSecond calls of one principal, in the long run
   * @param burst calls that it may make at once
   * @param remembered principals
   * @param nanoTime a clock that only runs forward
   */
  public CallBudget(int perSecond, int burst, int remembered, LongSupplier nanoTime) {
    this.perSecond = perSecond;
    this.burst = burst;
    this.remembered = remembered;
    this.nanoTime = nanoTime;
  }

  private static final class Bucket {
    private double calls;
    private long atNanos;
  }

  /** Takes one call; if there is none, says when there will be. */
  synchronized Optional<Duration> take(String principal) {
    long now = nanoTime.getAsLong();
    Bucket bucket = buckets.get(principal);
    if (bucket == null) {
      bucket = added(principal, now);
    }
    bucket.calls = Math.min(burst, bucket.calls + (now - bucket.atNanos) / NANOS * perSecond);
    bucket.atNanos = now;
    if (bucket.calls >= 1) {
      bucket.calls--;
      return Optional.empty();
    }
    return Optional.of(Duration.ofNanos((long) Math.ceil((1 - bucket.calls) / perSecond * NANOS)));
  }

  /** Whether a principal has no call left, without taking one. */
  synchronized boolean isSpent(String principal) {
    Bucket bucket = buckets.get(principal);
    return bucket != null
        && bucket.calls + (nanoTime.getAsLong() - bucket.atNanos) / NANOS * perSecond < 1;
  }

  synchronized int size() {
    return buckets.size();
  }

  private Bucket added(String principal, long now) {
    Bucket bucket = new Bucket();
    bucket.calls = burst;
    bucket.atNanos = now;
    buckets.put(principal, bucket);
    if (buckets.size() > remembered) {
      buckets.remove(buckets.keySet().iterator().next());
    }
    return bucket;
  }
}
