package io.gatehouse.agent.state.change;

import io.gatehouse.agent.state.planned.ConnectionLimit;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What to change in the limits of zones. They are set before the flows that track there, or what
 * was tracked before is not counted; they go once nothing is tracked there.
 *
 * @param deletes zones
 * @param impossible why a planned limit cannot be, by its zone
 */
public record ConnectionLimitChange(
    List<ConnectionLimit> sets, List<Integer> deletes, Map<Integer, String> impossible) {
  public static final ConnectionLimitChange NONE =
      new ConnectionLimitChange(List.of(), List.of(), Map.of());

  public ConnectionLimitChange {
    sets = List.copyOf(sets);
    deletes = List.copyOf(deletes);
    impossible = Collections.unmodifiableMap(new TreeMap<>(impossible));
  }

  public int size() {
    return sets.size() + deletes.size() + impossible.size();
  }

  public boolean isEmpty() {
    return size() == 0;
  }
}
