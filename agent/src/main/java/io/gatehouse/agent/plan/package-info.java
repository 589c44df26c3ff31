/**
 * What must be: from the policy and the facts of the machine to bridge, ports, guards and flows.
 *
 * <p>Input: {@link io.gatehouse.agent.state.Policy}, {@link io.gatehouse.agent.state.Facts}, {@link
 * io.gatehouse.agent.state.Site}. Output: {@link io.gatehouse.agent.state.Plan}. Never: what was
 * there before, what became of an earlier plan, clocks, devices.
 */
@NullMarked
package io.gatehouse.agent.plan;

import org.jspecify.annotations.NullMarked;
