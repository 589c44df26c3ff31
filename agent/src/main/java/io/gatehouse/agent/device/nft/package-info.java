/**
 * The kernel's packet filter on the ports of the data plane, by nf_tables over netlink.
 *
 * <p>Input: names of network devices. Output: one table of our own, and what of it is really there.
 * Never: a shell, another table, a rule set of the operator.
 */
@NullMarked
package io.gatehouse.agent.device.nft;

import org.jspecify.annotations.NullMarked;
