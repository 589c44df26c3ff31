/**
 * The bounds of what agents send, apart from the session that enforces them. Pure.
 *
 * <p>Input: messages. Output: nothing, or {@link io.gatehouse.model.net.InvalidValueException} with
 * the path of the field. Never: a session.
 */
@NullMarked
package io.gatehouse.control.publish.bounds;

import org.jspecify.annotations.NullMarked;
