package io.gatehouse.agent.observe;

import io.gatehouse.agent.state.MeterKind;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * Adds up what meters have dropped, by their kind: the sums never fall, whatever becomes of the
 * meters. Thread-safe.
 */
final class MeterDrops {
  private final Map<MeterKind, Long> sums = new EnumMap<>(MeterKind.class);
  private Map<Integer, Long> last = Map.of();

  /**
   * Takes counters as they were read.
   *
   * @param dropped packets by meter
   */
  synchronized void seen(Map<Integer, Long> dropped) {
    dropped.forEach(
        (id, now) -> {
          long before = last.getOrDefault(id, 0L);
          // A meter that was made anew counts from zero.
          long more = now >= before ? now - before : now;
          MeterKind.of(id).ifPresent(kind -> sums.merge(kind, more, Long::sum));
        });
    last = new HashMap<>(dropped);
  }

  synchronized long of(MeterKind kind) {
    return sums.getOrDefault(kind, 0L);
  }
}
