package io.gatehouse.agent.state.change;

import io.gatehouse.agent.flow.RateMeter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What to change in the meters. Adds and modifies come before the flows that need them, deletes
 * after the flows that needed them have gone.
 *
 * @param impossible why a planned meter cannot be, by its id
 */
public record MeterChange(
    List<RateMeter> adds,
    List<RateMeter> modifies,
    List<Integer> deletes,
    Map<Integer, String> impossible) {
  public static final MeterChange NONE = new MeterChange(List.of(), List.of(), List.of(), Map.of());

  public MeterChange {
    adds = List.copyOf(adds);
    modifies = List.copyOf(modifies);
    deletes = List.copyOf(deletes);
    impossible = java.util.Collections.unmodifiableMap(new TreeMap<>(impossible));
  }

  public int size() {
    return adds.size() + modifies.size() + deletes.size() + impossible.size();
  }

  public boolean isEmpty() {
    return size() == 0;
  }
}
