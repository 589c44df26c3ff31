/**
 * The service of peerings, thin.
 *
 * <p>Input: requests. Output: commands for the sequencer, answers from the image. Never: a rule on
 * what is allowed.
 */
@NullMarked
package io.gatehouse.control.api.peering;

import org.jspecify.annotations.NullMarked;
