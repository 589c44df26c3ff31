/**
 * The audit: keeps refused calls in a chain beside the journal, and lets both be read, checked and
 * taken away.
 *
 * <p>Input: refusals from any thread, rows of the two chains. Output: rows, events, verdicts.
 * Never: a call that waits for the audit; a secret; a change of the image.
 */
@NullMarked
package io.gatehouse.control.audit;

import org.jspecify.annotations.NullMarked;
