/**
 * {@code gatehouse mtu}: what fits, and what was measured.
 *
 * <p>Input: arguments, answers of the control plane. Output: tables, maps, files that were asked
 * for. Never: a number that no DPU has reported.
 */
@NullMarked
package io.gatehouse.control.cli.mtu;

import org.jspecify.annotations.NullMarked;
