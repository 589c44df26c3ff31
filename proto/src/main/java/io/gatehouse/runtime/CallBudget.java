package io.gatehouse.runtime;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How often each of many may do something: so many times at once, then once in an interval, so that
 * a flood of one takes nothing from another. Remembers the newest only; one that was forgotten
 * starts anew. Safe for use by many threads.
 */
public final class CallBudget {
  private final long intervalNanos;
  private final long aheadNanos;
  private final int remembered;
  private final LongSupplier nanoTime;

  /** For each, the time up to which its budget is spent; the latest one comes last. */
  private final Map<String, Long> spentUntil = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * A budget.
   *
   * @param interval for one call, in the long run
   * @param burst calls that may be made at once, 1 or more
   * @param remembered how many callers
   * @param nanoTime a clock that only runs forward
   */
  public CallBudget(Duration interval, int burst, int remembered, LongSupplier nanoTime) {
    this.intervalNanos = interval.toNanos();
    this.aheadNanos = (burst - 1) * intervalNanos;
    this.remembered = remembered;
    this.nanoTime = nanoTime;
  }

  /** As above, with calls a second in the long run. */
  public CallBudget(int perSecond, int burst, int remembered, LongSupplier nanoTime) {
    this(interval(perSecond), burst, remembered, nanoTime);
  }

  /** Takes one call; if there is none, says when there will be. */
  public synchronized Optional<Duration> take(String caller) {
    long now = nanoTime.getAsLong();
    long ahead = ahead(caller, now);
    if (ahead > aheadNanos) {
      return Optional.of(Duration.ofNanos(ahead - aheadNanos));
    }
    spentUntil.put(caller, now + ahead + intervalNanos);
    if (spentUntil.size() > remembered) {
      Iterator<String> oldest = spentUntil.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
    return Optional.empty();
  }

  /** Whether a caller has no call left, without taking one. */
  public synchronized boolean isSpent(String caller) {
    return ahead(caller, nanoTime.getAsLong()) > aheadNanos;
  }

  /** How many are remembered. */
  public synchronized int size() {
    return spentUntil.size();
  }

  /** How far into the future the budget is spent; times are compared by their difference. */
  private long ahead(String caller, long now) {
    Long spent = spentUntil.get(caller);
    return spent == null ? 0 : Math.max(spent - now, 0);
  }

  /** Rounded up: nobody gets more than he was promised. */
  private static Duration interval(int perSecond) {
    long second = TimeUnit.SECONDS.toNanos(1);
    return Duration.ofNanos((second + perSecond - 1) / perSecond);
  }
}
