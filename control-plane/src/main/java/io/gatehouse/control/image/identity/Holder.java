package io.gatehouse.control.image.identity;

import java.time.Instant;
import java.util.Optional;

/**
 * What is remembered of an identity after its certificates have expired.
 *
 * @param serialNumber of its newest certificate; empty if that was revoked
 * @param authority of that certificate
 * @param revokedAt when it was revoked last
 * @param recoverySignedAtMillis newest proof that a recovery was given for, since 1970 UTC; 0: none
 */
public record Holder(
    String serialNumber,
    String authority,
    Optional<Instant> revokedAt,
    long recoverySignedAtMillis) {
  static final Holder NEW = new Holder("", "", Optional.empty(), 0);

  Holder with(CertificateRecord newest, long signedAtMillis) {
    return new Holder(
        newest.serialNumber(),
        newest.authority(),
        revokedAt,
        Math.max(recoverySignedAtMillis, signedAtMillis));
  }

  Holder revoked(Instant time) {
    return new Holder("", authority, Optional.of(time), recoverySignedAtMillis);
  }
}
