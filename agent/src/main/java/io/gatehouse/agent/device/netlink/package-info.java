/**
 * Links, addresses and routes of the kernel, by rtnetlink.
 *
 * <p>Input: messages of an {@code AF_NETLINK} socket in the network namespace of the thread that
 * opened it. Output: typed values, acknowledged changes, a wake-up when something changed. Never:
 * the {@code ip} command, tenants, a guess about a request whose answer was lost.
 */
@NullMarked
package io.gatehouse.agent.device.netlink;

import org.jspecify.annotations.NullMarked;
