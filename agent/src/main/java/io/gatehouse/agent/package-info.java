/**
 * The agent of one DPU: its settings, its wiring, its program.
 *
 * <p>Input: a configuration file. Output: the running agent. Never: decisions; those are in the
 * stages below.
 */
@NullMarked
package io.gatehouse.agent;

import org.jspecify.annotations.NullMarked;
