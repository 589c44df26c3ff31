/**
 * Authorities, certificates and tokens as stored messages.
 *
 * <p>Input: events and the state of identities. Output: messages, and back. Never: storage; a value
 * that is not valid.
 */
@NullMarked
package io.gatehouse.control.journal.identity;

import org.jspecify.annotations.NullMarked;
