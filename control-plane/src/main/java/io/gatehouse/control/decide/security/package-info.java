/**
 * Decisions about what ports may do: security groups and quarantines. Pure.
 *
 * <p>Input: an image, a command, who asks and when. Output: events, or a refusal. Never: clocks,
 * chance, I/O.
 */
@NullMarked
package io.gatehouse.control.decide.security;

import org.jspecify.annotations.NullMarked;
