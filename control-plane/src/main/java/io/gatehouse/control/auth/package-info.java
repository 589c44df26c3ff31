/**
 * Who calls, and what they may.
 *
 * <p>Input: the peer's certificate or bearer token, and the operators that there are. Output: a
 * {@link io.gatehouse.control.auth.Caller} and for an agent a {@link
 * io.gatehouse.control.auth.CallingDpu} in the call's context, or a refusal, which goes to the
 * audit. Never: an identity taken from a message.
 */
@NullMarked
package io.gatehouse.control.auth;

import org.jspecify.annotations.NullMarked;
