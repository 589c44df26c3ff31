/**
 * What differs in the underlays of the fleet. Pure.
 *
 * <p>Input: what is declared, what agents have read, the image. Output: numbers and texts for
 * people. Never: a decision.
 */
@NullMarked
package io.gatehouse.control.mtu.underlay;

import org.jspecify.annotations.NullMarked;
