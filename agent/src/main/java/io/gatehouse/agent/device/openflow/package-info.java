/**
 * A client of one bridge's OpenFlow management socket.
 *
 * <p>Input: changes of flows, filters. Output: flows and ports as read back, changes made by
 * others, a {@code DeviceException} when it did not work. Never: what the flows are for, packets,
 * retries of a change.
 */
@NullMarked
package io.gatehouse.agent.device.openflow;

import org.jspecify.annotations.NullMarked;
