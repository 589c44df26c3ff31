package io.gatehouse.agent.state.planned;

import io.gatehouse.agent.state.Problem;
import java.util.List;

/**
 * What must be, computed from policy and facts alone.
 *
 * @param revision of the policy it was made from
 * @param problems resources that it leaves out, and why; each is closed
 */
public record Plan(
    long revision, BridgePlan bridge, KernelPlan kernel, FlowPlan flows, List<Problem> problems) {
  public Plan {
    problems = List.copyOf(problems);
  }
}
