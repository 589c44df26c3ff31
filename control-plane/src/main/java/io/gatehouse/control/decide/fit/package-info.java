/**
 * What fits: the addresses of a network's ports, and the packets of its DPUs.
 *
 * <p>Input: a network, its members, DPUs. Output: free addresses, the largest packet, or a refusal.
 * Never: clocks, chance, I/O; an event.
 */
@NullMarked
package io.gatehouse.control.decide.fit;

import org.jspecify.annotations.NullMarked;
