/**
 * How far the policy is real: what the DPUs have reported, and what follows from it.
 *
 * <p>Input: agents' reports, committed entries, and what other control planes on the same database
 * have written of their agents. Output: statuses, low-water marks, answers to those who wait.
 * Never: a conclusion from silence; a change of the image, except that a flushed VNI is given back.
 */
@NullMarked
package io.gatehouse.control.fleet;

import org.jspecify.annotations.NullMarked;
