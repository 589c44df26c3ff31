/**
 * The control socket of {@code ovs-vswitchd} (ovs-appctl(8), unixctl).
 *
 * <p>Input: a command and its arguments. Output: the daemon's text, or {@link
 * io.gatehouse.agent.device.DeviceException}. Never: waiting without limit, tenants, a child
 * process.
 */
@NullMarked
package io.gatehouse.agent.device.unixctl;

import org.jspecify.annotations.NullMarked;
