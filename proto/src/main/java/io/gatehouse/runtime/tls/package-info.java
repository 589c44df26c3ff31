/**
 * Certificates and keys from files, for gRPC over TLS 1.3.
 *
 * <p>Input: PEM files, read again when they change. Output: SSL contexts. Never: the content of a
 * file in a message or log, a key that others can read, an older protocol.
 */
@NullMarked
package io.gatehouse.runtime.tls;

import org.jspecify.annotations.NullMarked;
