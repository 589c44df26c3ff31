/** Tests. */
@NullMarked
package io.gatehouse.control.limit;

import org.jspecify.annotations.NullMarked;
