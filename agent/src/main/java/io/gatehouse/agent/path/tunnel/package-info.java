/**
 * Tests of tunnels: packets of full size, with their headers and every byte known to both ends.
 *
 * <p>Input: policy, numbers, what peers say. Output: frames, counts. Never: a socket, a clock.
 */
@NullMarked
package io.gatehouse.agent.path.tunnel;

import org.jspecify.annotations.NullMarked;
