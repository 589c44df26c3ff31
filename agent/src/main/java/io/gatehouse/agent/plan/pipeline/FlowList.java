package io.gatehouse.agent.plan.pipeline;

import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.flow.RateMeter;
import io.gatehouse.agent.state.Cookies;
import io.gatehouse.agent.state.PipelineTable;
import io.gatehouse.agent.state.planned.ConnectionLimit;
import io.gatehouse.agent.state.planned.Fragment;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Collects the flows of one owner; all get the owner's cookie. */
public final class FlowList {
  private final String owner;
  private final long cookie;
  private final List<Flow> flows = new ArrayList<>();
  private final SortedMap<Integer, RateMeter> meters = new TreeMap<>();
  private final List<ConnectionLimit> limits = new ArrayList<>();

  public FlowList(String owner) {
    this.owner = owner;
    this.cookie = Cookies.of(owner);
  }

  /** Adds a flow; without actions it drops. */
  public void add(PipelineTable table, int priority, Match.Builder match, Action... actions) {
    add(table, priority, match, List.of(actions));
  }

  public void add(PipelineTable table, int priority, Match.Builder match, List<Action> actions) {
    flows.add(new Flow(table.number(), priority, cookie, match.build(), actions));
  }

  /** Adds a meter that these flows use; one that is there already stays. */
  public void add(RateMeter meter) {
    meters.putIfAbsent(meter.id(), meter);
  }

  /** Adds the limit of the zone that these flows track in. */
  public void add(ConnectionLimit limit) {
    limits.add(limit);
  }

  public Fragment fragment(Object inputs) {
    return new Fragment(owner, inputs, flows, List.copyOf(meters.values()), limits);
  }
}
