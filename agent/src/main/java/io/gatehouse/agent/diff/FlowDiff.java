package io.gatehouse.agent.diff;

import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.FlowKey;
import io.gatehouse.agent.state.Cookies;
import io.gatehouse.agent.state.change.FlowChange;
import io.gatehouse.agent.state.observed.FlowView;
import io.gatehouse.agent.state.planned.FlowPlan;
import io.gatehouse.agent.state.planned.Fragment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Flows to delete, modify and add. The bridge is Gatehouse's, so a flow that is not planned goes,
 * whoever made it: it would be a hole in the isolation.
 */
public final class FlowDiff {
  private final List<Flow> deletes = new ArrayList<>();
  private final List<Flow> modifies = new ArrayList<>();
  private final List<Flow> adds = new ArrayList<>();

  private FlowDiff() {}

  public static FlowChange diff(FlowPlan plan, FlowView view) {
    FlowDiff diff = new FlowDiff();
    view.flows()
        .forEach(
            (cookie, flows) -> {
              if (!plan.fragments().containsKey(cookie)) {
                diff.deletes.addAll(flows);
              }
            });
    plan.fragments().forEach((cookie, fragment) -> diff.fragment(fragment, view.of(cookie)));
    return new FlowChange(diff.deletes, diff.modifies, diff.adds);
  }

  /** Number of flows to delete that carry somebody else's cookie. */
  public static long foreignDeletes(FlowChange change) {
    return change.deletes().stream().filter(flow -> !Cookies.isOurs(flow.cookie())).count();
  }

  private void fragment(Fragment fragment, List<Flow> found) {
    if (fragment.flows() == found) {
      // The very list that an earlier read-back confirmed.
      return;
    }
    Map<FlowKey, Flow> rest = new HashMap<>();
    found.forEach(flow -> rest.put(flow.key(), flow));
    for (Flow wanted : fragment.flows()) {
      Flow there = rest.remove(wanted.key());
      if (there == null) {
        adds.add(wanted);
      } else if (!there.actions().equals(wanted.actions())) {
        modifies.add(wanted);
      }
    }
    deletes.addAll(rest.values());
  }
}
