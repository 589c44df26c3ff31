/** Tests of the projection. */
@NullMarked
package io.gatehouse.control.publish.projection;

import org.jspecify.annotations.NullMarked;
