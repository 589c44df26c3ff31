package io.gatehouse.agent.reconcile;

import io.gatehouse.agent.flow.RateMeter;
import io.gatehouse.agent.state.MeterKind;
import io.gatehouse.agent.state.Problem;
import io.gatehouse.agent.state.planned.ConnectionLimit;
import io.gatehouse.agent.state.planned.FlowPlan;
import io.gatehouse.agent.state.planned.Fragment;
import io.gatehouse.agent.state.planned.Plan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * Fragments that the switch refused. They are left out, so their owners are closed, until they are
 * planned anew. Not thread-safe.
 */
final class Refusals {
  private final Map<Long, Refusal> refusals = new HashMap<>();

  private record Refusal(Fragment fragment, Problem problem) {}

  /** Flows were refused, by their cookies. */
  void add(FlowPlan plan, Map<Long, String> refused) {
    refused.forEach(
        (cookie, reason) -> {
          Fragment fragment = plan.fragments().get(cookie);
          if (fragment != null) {
            String text = "the switch refuses it: " + reason;
            refusals.put(cookie, new Refusal(fragment, Problem.rejected(fragment.owner(), text)));
          }
        });
  }

  /**
   * Meters were refused, by their ids: a limit is a promise to the others, so whoever cannot be
   * held to it is closed.
   *
   * @return the cookies of those who use them
   */
  Set<Long> addMeters(FlowPlan plan, Map<Integer, String> refused) {
    return close(
        plan,
        refused,
        fragment -> fragment.meters().stream().map(RateMeter::id),
        id -> MeterKind.of(id).map(name -> name + " ").orElse("").toLowerCase(Locale.ROOT));
  }

  /**
   * Limits of connections were refused, by their zones; it ends as with a meter.
   *
   * @return the cookies of those who track there
   */
  Set<Long> addLimits(FlowPlan plan, Map<Integer, String> refused) {
    return close(
        plan,
        refused,
        fragment -> fragment.limits().stream().map(ConnectionLimit::zone),
        zone -> "connections ");
  }

  /**
   * Closes who cannot be held to a limit.
   *
   * @param numbers of the limits that a fragment needs
   * @param kind of the limit with a number, for people
   */
  private Set<Long> close(
      FlowPlan plan,
      Map<Integer, String> refused,
      Function<Fragment, Stream<Integer>> numbers,
      IntFunction<String> kind) {
    Set<Long> closed = new HashSet<>();
    if (refused.isEmpty()) {
      return closed;
    }
    plan.fragments()
        .forEach(
            (cookie, fragment) ->
                numbers
                    .apply(fragment)
                    .filter(refused::containsKey)
                    .findFirst()
                    .ifPresent(
                        number -> {
                          closed.add(cookie);
                          String text =
                              "the limit %scannot be enforced: %s"
                                  .formatted(kind.apply(number), refused.get(number));
                          Problem problem = Problem.pending(fragment.owner(), text);
                          refusals.put(cookie, new Refusal(fragment, problem));
                        }));
    return closed;
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
          problems.add(refusal.problem());
        });
    return new Plan(plan.revision(), plan.bridge(), plan.kernel(), new FlowPlan(rest), problems);
  }
}
