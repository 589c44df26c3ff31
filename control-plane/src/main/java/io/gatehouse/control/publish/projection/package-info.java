/**
 * The policy of one DPU, cut out of the image; pure.
 *
 * <p>Input: an image and a DPU's name. Output: all that the DPU must know, encoded, and what leads
 * there from what an agent holds. Never: a network that has no port on the DPU; a clock, a thread,
 * a stream.
 */
@NullMarked
package io.gatehouse.control.publish.projection;

import org.jspecify.annotations.NullMarked;
