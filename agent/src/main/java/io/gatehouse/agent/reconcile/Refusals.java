package io.gatehouse.agent.reconcile;

import io.gatehouse.agent.state.Problem;
import io.gatehouse.agent.state.planned.FlowPlan;
import io.gatehouse.agent.state.planned.Fragment;
import io.gatehouse.agent.state.planned.Plan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Fragments that the switch refused. They are left out, so their owners are closed, until they are
 * planned anew. Not thread-safe.
 */
final class Refusals {
  private final Map<Long, Refusal> refusals = new HashMap<>();

  private record Refusal(Fragment fragment, String reason) {}

  void add(FlowPlan plan, Map<Long, String> refused) {
    refused.forEach(
        (cookie, reason) -> {
          Fragment fragment = plan.fragments().get(cookie);
          if (fragment != null) {
            refusals.put(cookie, new Refusal(fragment, reason));
          }
        });
  }

  /** The plan without what was refused, each owner a problem. */
  Plan without(Plan plan) {
    refusals
        .entrySet()
        .removeIf(
            refusal ->
                !refusal
                    .getValue()
                    .fragment()
                    .equals(plan.flows().fragments().get(refusal.getKey())));
    if (refusals.isEmpty()) {
      return plan;
    }
    Map<Long, Fragment> rest = new HashMap<>(plan.flows().fragments());
    List<Problem> problems = new ArrayList<>(plan.problems());
    refusals.forEach(
        (cookie, refusal) -> {
          rest.remove(cookie);
          problems.add(
              Problem.rejected(
                  refusal.fragment().owner(), "the switch refuses it: " + refusal.reason()));
        });
    return new Plan(plan.revision(), plan.bridge(), plan.kernel(), new FlowPlan(rest), problems);
  }
}
