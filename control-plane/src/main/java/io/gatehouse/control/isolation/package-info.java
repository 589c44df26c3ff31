/**
 * Proofs of isolation: asked for over the agents' streams, and the newest of each DPU.
 *
 * <p>Input: questions of operators. Output: what the agents have proved; for a tenant what concerns
 * its own ports. Never: a proof of its own.
 */
@NullMarked
package io.gatehouse.control.isolation;

import org.jspecify.annotations.NullMarked;
