/** Tests. */
@NullMarked
package io.gatehouse.control.auth.oidc;

import org.jspecify.annotations.NullMarked;
