/**
 * What packets may reach whom, said by the policy alone, and what came of them.
 *
 * <p>Input: a policy, the ports that are open, packets and where they went. Output: expectations,
 * probes, and {@link io.gatehouse.agent.state.proof.Proof}. Never: how a flow is planned, clocks,
 * devices.
 */
@NullMarked
package io.gatehouse.agent.prove;

import org.jspecify.annotations.NullMarked;
