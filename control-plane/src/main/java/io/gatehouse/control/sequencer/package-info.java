/**
 * Puts all changes into one order: one thread decides, appends, and only then publishes.
 *
 * <p>Input: commands from any thread, and entries that other replicas have appended. Output: the
 * current image, and every committed entry to every listener, in order, once. Never: an image that
 * is ahead of the journal.
 */
@NullMarked
package io.gatehouse.control.sequencer;

import org.jspecify.annotations.NullMarked;
