/** Tests of what the services of identities are made of. */
@NullMarked
package io.gatehouse.control.identity;

import org.jspecify.annotations.NullMarked;
