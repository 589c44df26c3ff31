/** Tests. */
@NullMarked
package io.gatehouse.control.fleet;

import org.jspecify.annotations.NullMarked;
