/**
 * Keeps every accepted change, in order, in one SQL table whose rows are chained by hash.
 *
 * <p>Input: entries to append after a known head. Output: entries as they were appended, or a
 * refusal that names the row. Never: an entry that was not checked against the chain; a decision.
 */
@NullMarked
package io.gatehouse.control.journal;

import org.jspecify.annotations.NullMarked;
