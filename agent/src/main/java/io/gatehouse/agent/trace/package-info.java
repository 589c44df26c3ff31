/**
 * What the running switch says that it would do with a packet ({@code ofproto/trace},
 * ovs-vswitchd(8)).
 *
 * <p>Input: packets. Output: {@link io.gatehouse.agent.trace.Trace}. Never: packets that are sent,
 * a policy, tenants.
 */
@NullMarked
package io.gatehouse.agent.trace;

import org.jspecify.annotations.NullMarked;
