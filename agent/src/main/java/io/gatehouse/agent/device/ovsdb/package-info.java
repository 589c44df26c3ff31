/**
 * A client of ovsdb-server: RFC 7047 and the conditional monitor of ovsdb-server(7), as much as an
 * agent needs.
 *
 * <p>Input: an address, the tables and columns to follow, transactions. Output: an immutable
 * replica, results, and {@link io.gatehouse.agent.device.DeviceException}. Never: a replica that
 * may be stale without saying so, a call without a deadline, a message without a bound.
 */
@NullMarked
package io.gatehouse.agent.device.ovsdb;

import org.jspecify.annotations.NullMarked;
