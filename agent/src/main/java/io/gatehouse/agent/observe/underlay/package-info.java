/**
 * What carries the tunnels: reads links, bridges and LLDP neighbours on a thread of its own.
 *
 * <p>Input: the devices, policy and facts. Output: {@link
 * io.gatehouse.agent.state.underlay.UnderlayStack}. Never: a write; a judgement of what differs.
 */
@NullMarked
package io.gatehouse.agent.observe.underlay;

import org.jspecify.annotations.NullMarked;
