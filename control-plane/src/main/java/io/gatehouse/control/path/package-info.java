/**
 * The underlay paths between DPUs, as their agents have measured them.
 *
 * <p>Input: questions of operators, reports of agents. Output: what was reported. Never: a path
 * that nobody has measured.
 */
@NullMarked
package io.gatehouse.control.path;

import org.jspecify.annotations.NullMarked;
