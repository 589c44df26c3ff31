/**
 * Proves the isolation of what is in force, in the background.
 *
 * <p>Input: {@link io.gatehouse.agent.state.proof.Subject} of the loop's rounds, and questions.
 * Output: {@link io.gatehouse.agent.state.proof.Proof}. Never: a packet that is sent, a change of a
 * device, the loop kept waiting.
 */
@NullMarked
package io.gatehouse.agent.verify;

import org.jspecify.annotations.NullMarked;
