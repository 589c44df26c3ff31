/** Tests of what encapsulations take, against the numbers that Linux has. */
@NullMarked
package io.gatehouse.model.mtu;

import org.jspecify.annotations.NullMarked;
