/**
 * Searches the largest packet that a path carries (RFC 8899), as pure code: what to send and when,
 * and what answers mean.
 *
 * <p>Input: policy, times, answers. Output: sizes to send, verdicts. Never: a socket, a clock.
 */
@NullMarked
package io.gatehouse.agent.path;

import org.jspecify.annotations.NullMarked;
