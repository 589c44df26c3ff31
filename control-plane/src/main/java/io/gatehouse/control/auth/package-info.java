/**
 * Who calls.
 *
 * <p>Input: the peer of a call. Output: a {@link io.gatehouse.control.auth.Caller} in the call's
 * context. Never: an identity taken from a message.
 */
@NullMarked
package io.gatehouse.control.auth;

import org.jspecify.annotations.NullMarked;
