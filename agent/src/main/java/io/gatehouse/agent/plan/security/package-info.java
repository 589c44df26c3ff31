/**
 * Security groups as flows: the rules of a group, who its members are, and which zone a port's
 * connections are kept in.
 *
 * <p>Input: {@link io.gatehouse.agent.state.Policy}, and the zones that the database has. Output:
 * fragments of flows, zones. Never: ports of the switch, clocks, devices.
 */
@NullMarked
package io.gatehouse.agent.plan.security;

import org.jspecify.annotations.NullMarked;
