/**
 * The policy of one DPU: what it must know to carry its own tenants' networks, and nothing else.
 *
 * <p>Input: checked values. Output: immutable records. Never: how it got here, what a device made
 * of it.
 */
@NullMarked
package io.gatehouse.model.policy;

import org.jspecify.annotations.NullMarked;
