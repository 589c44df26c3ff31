/**
 * What a peer may use of the server, before anything is known of it.
 *
 * <p>Input: connections as they come in. Output: those that may go on. Never: a call; an identity.
 */
@NullMarked
package io.gatehouse.control.limit;

import org.jspecify.annotations.NullMarked;
