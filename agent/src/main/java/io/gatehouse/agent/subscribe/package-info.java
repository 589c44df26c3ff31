/**
 * The policy of this DPU: from the control plane's stream, or the last good one from disk.
 *
 * <p>Input: the Sync stream, the policy file. Output: {@link io.gatehouse.agent.state.Policy},
 * whole and checked. Never: what a device made of it; an outage never changes a policy.
 */
@NullMarked
package io.gatehouse.agent.subscribe;

import org.jspecify.annotations.NullMarked;
