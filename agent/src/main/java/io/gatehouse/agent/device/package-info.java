/**
 * What the clients of devices have in common.
 *
 * <p>Input and output: how a device failed. Never: tenants, retries.
 */
@NullMarked
package io.gatehouse.agent.device;

import org.jspecify.annotations.NullMarked;
