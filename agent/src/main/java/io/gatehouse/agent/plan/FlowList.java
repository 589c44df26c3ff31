package io.gatehouse.agent.plan;

import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.state.Cookies;
import io.gatehouse.agent.state.PipelineTable;
import io.gatehouse.agent.state.planned.Fragment;
import java.util.ArrayList;
import java.util.List;

/** Collects the flows of one owner; all get the owner's cookie. */
final class FlowList {
  private final String owner;
  private final long cookie;
  private final List<Flow> flows = new ArrayList<>();

  FlowList(String owner) {
    this.owner = owner;
    this.cookie = Cookies.of(owner);
  }

  /** Adds a flow; without actions it drops. */
  void add(PipelineTable table, int priority, Match.Builder match, Action... actions) {
    add(table, priority, match, List.of(actions));
  }

  void add(PipelineTable table, int priority, Match.Builder match, List<Action> actions) {
    flows.add(new Flow(table.number(), priority, cookie, match.build(), actions));
  }

  Fragment fragment(Object inputs) {
    return new Fragment(owner, inputs, flows);
  }
}
