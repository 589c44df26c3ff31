/**
 * Benchmarks of the whole: programs, network and Open vSwitch, as an operator meets them.
 *
 * <p>Input: a lab of their own. Output: distributions on standard output. Never: a verdict; the
 * machine decides the figures.
 */
@NullMarked
package io.gatehouse.packaging.bench;

import org.jspecify.annotations.NullMarked;
