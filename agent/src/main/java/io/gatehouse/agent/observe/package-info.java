/**
 * What is: reads database, flow tables and kernel. Reads only.
 *
 * <p>Input: the devices. Output: {@link io.gatehouse.agent.state.observed.Observation}. Never: a
 * write; "empty" where the answer is "unknown".
 */
@NullMarked
package io.gatehouse.agent.observe;

import org.jspecify.annotations.NullMarked;
