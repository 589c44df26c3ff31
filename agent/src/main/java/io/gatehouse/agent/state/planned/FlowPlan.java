package io.gatehouse.agent.state.planned;

import io.gatehouse.agent.flow.Flow;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The flows that the switch must have, and no others: fragments by cookie. */
public record FlowPlan(Map<Long, Fragment> fragments) {
  public static final FlowPlan EMPTY = new FlowPlan(Map.of());

  public FlowPlan {
    fragments = Collections.unmodifiableMap(fragments);
  }

  /** The limits of all zones that flows track in, by zone. */
  public SortedMap<Integer, ConnectionLimit> limits() {
    SortedMap<Integer, ConnectionLimit> limits = new TreeMap<>();
    fragments.values().forEach(one -> one.limits().forEach(it -> limits.put(it.zone(), it)));
    return limits;
  }

  /** All flows, in no particular order. */
  public List<Flow> flows() {
    return fragments.values().stream().flatMap(one -> one.flows().stream()).toList();
  }
}
