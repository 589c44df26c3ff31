/**
 * OpenFlow 1.5 with Open vSwitch's extensions, as bytes.
 *
 * <p>Input: whole messages. Output: values of {@code io.gatehouse.agent.flow} and of this package,
 * or an {@code UnreadableException}. Never: connections, waiting, more memory than the message
 * justifies.
 */
@NullMarked
package io.gatehouse.agent.device.openflow.codec;

import org.jspecify.annotations.NullMarked;
