/**
 * The state of the control plane at one revision: an immutable image that grows by entries.
 *
 * <p>Input: entries of the journal, in order. Output: the next image, and which DPUs an entry
 * concerns. Never: clocks, chance, threads, I/O, logs, gRPC; a decision on whether an entry is
 * right.
 */
@NullMarked
package io.gatehouse.control.image;

import org.jspecify.annotations.NullMarked;
