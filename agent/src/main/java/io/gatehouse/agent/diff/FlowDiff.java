package io.gatehouse.agent.diff;

import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.FlowKey;
import io.gatehouse.agent.state.StrangeFlows;
import io.gatehouse.agent.state.change.FlowChange;
import io.gatehouse.agent.state.observed.FlowView;
import io.gatehouse.agent.state.planned.FlowPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Flows to delete, modify and add. The bridge is Gatehouse's, so a flow that is not planned goes,
 * whoever made it: it would be a hole in the isolation.
 */
public final class FlowDiff {
  private final Comparison previous;
  private final Map<Long, Same> same = new HashMap<>();
  private final List<Flow> deletes = new ArrayList<>();
  private final List<Flow> modifies = new ArrayList<>();
  private final List<Flow> adds = new ArrayList<>();

  private FlowDiff(Comparison previous) {
    this.previous = previous;
  }

  /**
   * What a comparison found.
   *
   * @param same the very lists that were found to be equal, by cookie
   */
  public record Comparison(FlowChange change, Map<Long, Same> same) {
    public static final Comparison NONE = new Comparison(FlowChange.NONE, Map.of());
  }

  /** Two lists with the same flows. */
  public record Same(List<Flow> planned, List<Flow> found) {}

  /**
   * Compares flows.
   *
   * @param previous an earlier comparison: lists that it found equal are not compared again, which
   *     saves work and changes nothing
   */
  public static Comparison diff(FlowPlan plan, FlowView view, Comparison previous) {
    FlowDiff diff = new FlowDiff(previous);
    Map<Long, List<Flow>> left = afterPurges(view);
    left.forEach(
        (cookie, flows) -> {
          if (!plan.fragments().containsKey(cookie)) {
            diff.deletes.addAll(flows);
          }
        });
    plan.fragments()
        .forEach(
            (cookie, fragment) ->
                diff.compare(cookie, fragment.flows(), left.getOrDefault(cookie, List.of())));
    return new Comparison(
        new FlowChange(List.copyOf(view.strange()), diff.deletes, diff.modifies, diff.adds),
        diff.same);
  }

  /** What is left when everything strange has gone, with whatever cannot be told apart from it. */
  private static Map<Long, List<Flow>> afterPurges(FlowView view) {
    if (view.strange().isEmpty()) {
      return view.flows();
    }
    Map<Long, List<Flow>> left = new HashMap<>(view.flows());
    for (StrangeFlows strange : view.strange()) {
      left.computeIfPresent(
          strange.cookie(),
          (cookie, flows) ->
              flows.stream().filter(flow -> flow.table() != strange.table()).toList());
    }
    return left;
  }

  // The same list object, not an equal one: that is what makes it cheap.
  @SuppressWarnings("ReferenceEquality")
  private void compare(long cookie, List<Flow> planned, List<Flow> found) {
    Same known = previous.same().get(cookie);
    if (known != null && known.planned() == planned && known.found() == found) {
      same.put(cookie, known);
      return;
    }
    Map<FlowKey, Flow> rest = new HashMap<>();
    found.forEach(flow -> rest.put(flow.key(), flow));
    boolean equal = true;
    for (Flow wanted : planned) {
      Flow there = rest.remove(wanted.key());
      if (there == null) {
        adds.add(wanted);
        equal = false;
      } else if (!there.actions().equals(wanted.actions())) {
        modifies.add(wanted);
        equal = false;
      }
    }
    deletes.addAll(rest.values());
    if (equal && rest.isEmpty()) {
      same.put(cookie, new Same(planned, found));
    }
  }
}
