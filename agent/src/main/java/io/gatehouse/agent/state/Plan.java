package io.gatehouse.agent.state;

import java.util.Collections;
import java.util.List;
import java.util.SortedSet;

/**
 * What must be, computed from policy and facts alone.
 *
 * @param revision of the policy it was made from
 * @param guarded devices whose frames the DPU's own network stack must not see
 * @param problems resources that it leaves out, and why; each is closed
 */
public record Plan(
    long revision,
    BridgePlan bridge,
    SortedSet<String> guarded,
    FlowPlan flows,
    List<Problem> problems) {
  public Plan {
    guarded = Collections.unmodifiableSortedSet(guarded);
    problems = List.copyOf(problems);
  }
}
