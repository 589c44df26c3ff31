/** Tests of values as messages. */
@NullMarked
package io.gatehouse.wire;

import org.jspecify.annotations.NullMarked;
