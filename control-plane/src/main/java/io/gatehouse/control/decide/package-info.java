/**
 * Decides what a command makes happen: events, or a refusal with its reason.
 *
 * <p>Input: an image and a command that carries time, chance and known facts. Output: events that
 * keep every rule of the contract, or a {@link io.gatehouse.control.decide.RefusedException}.
 * Never: clocks, chance, threads, I/O, logs, gRPC; a change of anything.
 */
@NullMarked
package io.gatehouse.control.decide;

import org.jspecify.annotations.NullMarked;
