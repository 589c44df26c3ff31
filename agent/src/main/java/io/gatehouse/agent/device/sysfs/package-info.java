/**
 * What the kernel says in files: functions of a DPU, IPv6 of a device, the boot's id.
 *
 * <p>Input: folders below a given root, so that tests give their own. Output: typed values. Never:
 * a path made of a name that was not checked, a guess when two devices claim one function.
 */
@NullMarked
package io.gatehouse.agent.device.sysfs;

import org.jspecify.annotations.NullMarked;
