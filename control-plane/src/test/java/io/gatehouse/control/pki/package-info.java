/** Tests of the authorities, with openssl as a second implementation. */
@NullMarked
package io.gatehouse.control.pki;

import org.jspecify.annotations.NullMarked;
