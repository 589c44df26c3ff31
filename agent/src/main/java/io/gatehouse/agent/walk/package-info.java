/**
 * What Open vSwitch would do with a packet, computed from flows.
 *
 * <p>Input: flows, whoever made them, a packet, the states that the connection tracker would find.
 * Output: where the packet goes and by which flows. Never: a switch, a policy, tenants.
 */
@NullMarked
package io.gatehouse.agent.walk;

import org.jspecify.annotations.NullMarked;
