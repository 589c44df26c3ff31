/**
 * {@code gatehouse mtu}: how the MTU of a network comes about, and what the DPUs' underlays have.
 *
 * <p>Input: a command line. Output: a budget layer by layer, a table of DPUs, an exit code. Never:
 * a computation of its own.
 */
@NullMarked
package io.gatehouse.control.cli.mtu;

import org.jspecify.annotations.NullMarked;
