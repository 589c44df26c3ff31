package io.gatehouse.agent.state.observed;

import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.state.StrangeFlows;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The flows that the switch has, as last read back.
 *
 * @param flows by cookie
 * @param strange cookies of flows that use what Gatehouse never writes: other fields, actions,
 *     timeouts
 */
public record FlowView(Map<Long, List<Flow>> flows, Set<StrangeFlows> strange) {
  public static final FlowView EMPTY = new FlowView(Map.of(), Set.of());

  public FlowView {
    flows = Collections.unmodifiableMap(flows);
    strange = Set.copyOf(strange);
  }

  public List<Flow> of(long cookie) {
    return flows.getOrDefault(cookie, List.of());
  }

  /** Number of flows by table. */
  public Map<Integer, Integer> countByTable() {
    Map<Integer, Integer> counts = new HashMap<>();
    flows
        .values()
        .forEach(list -> list.forEach(flow -> counts.merge(flow.table(), 1, Integer::sum)));
    return counts;
  }
}
