/**
 * What is told: health from observations, and the messages that carry it.
 *
 * <p>Input: plans, observations. Output: {@link io.gatehouse.agent.state.Health}, Acks, answers of
 * the local service. Never: an effect on a device; a success that was not read back.
 */
@NullMarked
package io.gatehouse.agent.report;

import org.jspecify.annotations.NullMarked;
