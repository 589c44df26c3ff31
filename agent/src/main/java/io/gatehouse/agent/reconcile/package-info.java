/**
 * The one loop: {@code report(apply(diff(plan(policy, facts), observed)))}, on every change and
 * every 30 seconds.
 *
 * <p>Input: the newest policy, wake-ups from devices. Output: a device that is as planned, and
 * health. Never: a second loop; a success that was not read back.
 */
@NullMarked
package io.gatehouse.agent.reconcile;

import org.jspecify.annotations.NullMarked;
