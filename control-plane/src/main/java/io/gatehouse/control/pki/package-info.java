/**
 * The authorities and what they sign: keys, certificates, revocation lists.
 *
 * <p>Input: settings, the image, public keys to certify. Output: certificates as DER, files that
 * only their owner may read. Never: a key or a secret in a log, an error, the journal; who may have
 * a certificate, which is {@code decide}'s.
 */
@NullMarked
package io.gatehouse.control.pki;

import org.jspecify.annotations.NullMarked;
