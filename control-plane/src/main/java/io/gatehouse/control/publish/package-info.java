/**
 * Gives each DPU its part of the policy, and only what changed.
 *
 * <p>Input: images, one after the other, and the messages of the DPUs' agents. Output: messages on
 * the agents' streams, and what the agents report. Never: a change of the image; what a device made
 * of a policy, except as its agent reports it.
 */
@NullMarked
package io.gatehouse.control.publish;

import org.jspecify.annotations.NullMarked;
