/** What several packages' tests share. */
@NullMarked
package io.gatehouse.control.testing;

import org.jspecify.annotations.NullMarked;
