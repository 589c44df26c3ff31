/**
 * Values that the stages of the agent hand to each other: the policy it holds, what it observed,
 * what it plans, what it changes.
 *
 * <p>Input: values. Output: immutable values. Never: devices, clocks, threads, messages.
 */
@NullMarked
package io.gatehouse.agent.state;

import org.jspecify.annotations.NullMarked;
