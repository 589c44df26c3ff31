package io.gatehouse.agent.diff;

import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.FlowKey;
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
    view.flows()
        .forEach(
            (cookie, flows) -> {
              if (!plan.fragments().containsKey(cookie) && !view.strange().contains(cookie)) {
                diff.deletes.addAll(flows);
              }
            });
    plan.fragments()
        .forEach((cookie, fragment) -> diff.compare(cookie, fragment.flows(), left(view, cookie)));
    List<Long> purges = view.strange().stream().sorted().toList();
    return new Comparison(
        new FlowChange(purges, diff.deletes, diff.modifies, diff.adds), diff.same);
  }

  /** What is left of an owner's flows after the purges. */
  private static List<Flow> left(FlowView view, long cookie) {
    return view.strange().contains(cookie) ? List.of() : view.of(cookie);
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
