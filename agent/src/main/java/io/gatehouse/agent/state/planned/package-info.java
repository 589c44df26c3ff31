/**
 * What must be: bridge, flows, guards, as the planner made them.
 *
 * <p>Input: values. Output: immutable values. Never: devices, clocks, threads, messages.
 */
@NullMarked
package io.gatehouse.agent.state.planned;

import org.jspecify.annotations.NullMarked;
