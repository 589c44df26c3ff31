/**
 * {@code traceroute} (Dmitry Butskoy's, Debian's package of that name): the kernel tells of ICMP
 * errors by a queue of the socket that Java does not read, and that tool does.
 *
 * <p>Input: an address, a size. Output: its text, or {@link
 * io.gatehouse.agent.device.DeviceException}. Never: a shell, a name to look up, waiting without
 * limit, two processes at a time.
 */
@NullMarked
package io.gatehouse.agent.device.traceroute;

import org.jspecify.annotations.NullMarked;
