package io.gatehouse.control.image.identity;

import io.gatehouse.model.name.IdentityName;
import java.time.Instant;
import java.util.Optional;

/**
 * What is known of a certificate that was issued.
 *
 * @param serialNumber 32 hexadecimal digits in lower case
 * @param identity whose it is
 * @param authority id of who signed it
 * @param notBefore as it says itself
 * @param notAfter end of its life
 * @param revokedAt since when it is refused; empty: it is not
 */
public record CertificateRecord(
    String serialNumber,
    IdentityName identity,
    String authority,
    Instant notBefore,
    Instant notAfter,
    Optional<Instant> revokedAt) {

  CertificateRecord revoked(Instant time) {
    return new CertificateRecord(
        serialNumber, identity, authority, notBefore, notAfter, Optional.of(time));
  }
}
