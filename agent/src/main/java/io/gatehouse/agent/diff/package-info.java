/**
 * What to change so that what is becomes what must be.
 *
 * <p>Input: a plan and an observation. Output: ordered changes; none if all is as planned. Never:
 * how a change is carried out, or what became of the one before.
 */
@NullMarked
package io.gatehouse.agent.diff;

import org.jspecify.annotations.NullMarked;
