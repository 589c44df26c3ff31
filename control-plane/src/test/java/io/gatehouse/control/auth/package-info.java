/** Tests. */
@NullMarked
package io.gatehouse.control.auth;

import org.jspecify.annotations.NullMarked;
