/**
 * The words that all planners of flows share: registers, priorities, numbers of protocols, and the
 * list that gives each flow its owner's cookie.
 *
 * <p>Input: none. Output: none. Never: what a policy says.
 */
@NullMarked
package io.gatehouse.agent.plan.pipeline;

import org.jspecify.annotations.NullMarked;
