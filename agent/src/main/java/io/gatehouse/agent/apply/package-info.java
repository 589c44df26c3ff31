/**
 * Carries changes out on the devices; idempotent.
 *
 * <p>Input: {@link io.gatehouse.agent.state.change.Changes}. Output: effects, and what was refused.
 * Never: what must be; whether it worked: the next observation says that.
 */
@NullMarked
package io.gatehouse.agent.apply;

import org.jspecify.annotations.NullMarked;
