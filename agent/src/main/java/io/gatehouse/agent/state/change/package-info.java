/**
 * What to change: the difference of the two, in the order in which it is carried out.
 *
 * <p>Input: values. Output: immutable values. Never: devices, clocks, threads, messages.
 */
@NullMarked
package io.gatehouse.agent.state.change;

import org.jspecify.annotations.NullMarked;
