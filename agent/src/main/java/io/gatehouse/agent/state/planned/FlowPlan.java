package io.gatehouse.agent.state.planned;

import io.gatehouse.agent.flow.Flow;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** The flows that the switch must have, and no others: fragments by cookie. */
public record FlowPlan(Map<Long, Fragment> fragments) {
  public static final FlowPlan EMPTY = new FlowPlan(Map.of());

  public FlowPlan {
    fragments = Collections.unmodifiableMap(fragments);
  }

  /** All flows, in no particular order. */
  public List<Flow> flows() {
    return fragments.values().stream().flatMap(one -> one.flows().stream()).toList();
  }
}
