/**
 * Probes the underlay paths to other DPUs with packets of exact size, and answers those of others.
 *
 * <p>Input: whom to probe, packets. Output: packets, verdicts. Never: an answer to somebody whom
 * the policy does not name, an answer larger than the question.
 */
@NullMarked
package io.gatehouse.agent.probe;

import org.jspecify.annotations.NullMarked;
