/**
 * Wire clients of what a DPU runs, one package a protocol.
 *
 * <p>Input: bytes of a daemon or the kernel. Output: typed values, and {@link
 * io.gatehouse.agent.device.DeviceException} that says which of three ways it failed. Never:
 * tenants, policy, retries that the caller cannot see.
 */
@NullMarked
package io.gatehouse.agent.device;

import org.jspecify.annotations.NullMarked;
