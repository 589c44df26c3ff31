/**
 * What is known of the underlay paths to other DPUs.
 *
 * <p>Input: verdicts of searches. Output: immutable records. Never: how a path was searched.
 */
@NullMarked
package io.gatehouse.agent.state.path;

import org.jspecify.annotations.NullMarked;
