/**
 * The OpenFlow language as values: flows, matches, actions.
 *
 * <p>Input: fields and numbers. Output: immutable values in one canonical form, equal to what Open
 * vSwitch reads back, and their {@code ovs-ofctl} text. Never: bytes of a connection, clocks,
 * tenants.
 */
@NullMarked
package io.gatehouse.agent.flow;

import org.jspecify.annotations.NullMarked;
