package io.gatehouse.agent.state.proof;

import io.gatehouse.agent.state.Facts;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.observed.FlowView;
import io.gatehouse.agent.state.planned.Plan;

/**
 * What a proof is about: all of one round of the loop.
 *
 * @param found flows as they were read back
 */
public record Subject(Policy policy, Plan plan, Facts facts, FlowView found) {}
