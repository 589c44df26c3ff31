/** Tests. */
@NullMarked
package io.gatehouse.control.audit;

import org.jspecify.annotations.NullMarked;
