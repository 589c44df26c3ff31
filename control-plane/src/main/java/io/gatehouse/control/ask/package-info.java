/**
 * Questions to agents over their streams, for whoever has one to ask.
 *
 * <p>Input: a DPU and a question. Output: its answer within a time limit, or why there is none.
 * Never: a blocked thread.
 */
@NullMarked
package io.gatehouse.control.ask;

import org.jspecify.annotations.NullMarked;
