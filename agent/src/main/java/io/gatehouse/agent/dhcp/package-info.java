/**
 * Answers to hosts that ask for their configuration: DHCP for IPv4 (RFC 2131), for IPv6 (RFC 8415),
 * and router advertisements (RFC 4861); and to hosts whose packets are too large (RFC 1191, 8201).
 *
 * <p>Input: a packet of a host, and what the policy tells that host. Output: the packets to send
 * back, or the reason why there are none. Never: leases kept, clocks, sockets, another host's
 * addresses.
 */
@NullMarked
package io.gatehouse.agent.dhcp;

import org.jspecify.annotations.NullMarked;
