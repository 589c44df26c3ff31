/** What differs in the underlays of a fleet. */
@NullMarked
package io.gatehouse.control.mtu.underlay;

import org.jspecify.annotations.NullMarked;
