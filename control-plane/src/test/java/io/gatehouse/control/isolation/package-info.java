/** Tests of what is said of proofs, and to whom. */
@NullMarked
package io.gatehouse.control.isolation;

import org.jspecify.annotations.NullMarked;
