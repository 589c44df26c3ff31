/**
 * Decisions about peerings: who has agreed, and whether two networks can be told apart by their
 * prefixes. Pure.
 *
 * <p>Input: an image, a command and when. Output: events, or a refusal. Never: clocks, chance, I/O.
 */
@NullMarked
package io.gatehouse.control.decide.peering;

import org.jspecify.annotations.NullMarked;
