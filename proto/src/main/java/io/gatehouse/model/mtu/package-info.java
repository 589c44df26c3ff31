/**
 * How much of an underlay packet is left for the tenant's: every byte of every encapsulation
 * counted, in the order in which they are on the wire.
 *
 * <p>Input: encapsulations, an MTU. Output: the largest inner packet, the underlay MTU that a
 * packet needs, and the budget layer by layer. Never: a guess, a margin, a look at a device.
 */
@NullMarked
package io.gatehouse.model.mtu;

import org.jspecify.annotations.NullMarked;
