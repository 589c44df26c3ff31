/**
 * What was proved of the isolation between tenants: values that the prover hands to those who
 * report.
 *
 * <p>Input: values. Output: immutable values. Never: devices, clocks, threads, messages.
 */
@NullMarked
package io.gatehouse.agent.state.proof;

import org.jspecify.annotations.NullMarked;
