/** Tests of explanations of MTUs, and of the second step of their changes. */
@NullMarked
package io.gatehouse.control.mtu;

import org.jspecify.annotations.NullMarked;
