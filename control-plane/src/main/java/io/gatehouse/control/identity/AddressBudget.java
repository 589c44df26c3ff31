package io.gatehouse.control.identity;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How often each source may call: a few at once, then one every few seconds. Of the addresses only
 * the latest are remembered; whoever has more addresses than that still has to guess 256 bits. Any
 * thread.
 */
final class AddressBudget {
  static final int BURST = 20;
  static final long REFILL_NANOS = TimeUnit.SECONDS.toNanos(3);
  static final int REMEMBERED = 10_000;

  /** For each source, the time up to which its budget is spent; the latest caller comes last. */
  private final Map<String, Long> spentUntil = new LinkedHashMap<>(16, 0.75f, true);

  /** Takes one call from the budget of a source; false if there is none left. */
  synchronized boolean take(String source, long nowNanos) {
    long spent = Math.max(spentUntil.getOrDefault(source, nowNanos), nowNanos);
    if (spent - nowNanos > (BURST - 1) * REFILL_NANOS) {
      return false;
    }
    spentUntil.put(source, spent + REFILL_NANOS);
    if (spentUntil.size() > REMEMBERED) {
      Iterator<String> oldest = spentUntil.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
    return true;
  }

  synchronized int remembered() {
    return spentUntil.size();
  }
}
