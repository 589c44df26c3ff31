/**
 * A client of one bridge's OpenFlow management socket.
 *
 * <p>Input: changes of flows, filters, packets to send. Output: flows and ports as read back,
 * changes made by others, packets that flows hand over, a {@code DeviceException} when it did not
 * work. Never: what the flows and packets are for, retries of a change.
 */
@NullMarked
package io.gatehouse.agent.device.openflow;

import org.jspecify.annotations.NullMarked;
