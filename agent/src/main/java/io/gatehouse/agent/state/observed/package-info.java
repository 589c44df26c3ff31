/**
 * What is: as last read from the devices; unknown where a device could not be read.
 *
 * <p>Input: values. Output: immutable values. Never: devices, clocks, threads, messages.
 */
@NullMarked
package io.gatehouse.agent.state.observed;

import org.jspecify.annotations.NullMarked;
