package io.gatehouse.agent.state.observed;

import io.gatehouse.agent.flow.Flow;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** The flows that the switch has, by cookie, as last read back. */
public record FlowView(Map<Long, List<Flow>> flows) {
  public static final FlowView EMPTY = new FlowView(Map.of());

  public FlowView {
    flows = Collections.unmodifiableMap(flows);
  }

  public List<Flow> of(long cookie) {
    return flows.getOrDefault(cookie, List.of());
  }

  public int flowCount() {
    return flows.values().stream().mapToInt(List::size).sum();
  }
}
