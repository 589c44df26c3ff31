/**
 * The control plane as a program: settings, wiring, start and end.
 *
 * <p>Input: a file of settings. Output: a running control plane. Never: a rule of the domain.
 */
@NullMarked
package io.gatehouse.control;

import org.jspecify.annotations.NullMarked;
