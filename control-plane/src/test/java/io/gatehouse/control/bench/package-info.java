/** Measurements; run by hand, never asserted. */
@NullMarked
package io.gatehouse.control.bench;

import org.jspecify.annotations.NullMarked;
