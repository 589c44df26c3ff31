/**
 * Who calls, and what they may.
 *
 * <p>Input: the peer's certificate. Output: a {@link io.gatehouse.control.auth.Caller} or a {@link
 * io.gatehouse.control.auth.CallingDpu} in the call's context, or a refusal. Never: an identity
 * taken from a message.
 */
@NullMarked
package io.gatehouse.control.auth;

import org.jspecify.annotations.NullMarked;
