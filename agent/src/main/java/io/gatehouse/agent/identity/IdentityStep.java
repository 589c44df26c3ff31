package io.gatehouse.agent.identity;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Optional;

/** What is to be done for a valid certificate. Pure. */
enum IdentityStep {
  /** There is a token that was not tried yet. */
  ENROLL,
  /** Somebody has to bring a token. */
  WAIT,
  /** The certificate is not valid yet: the clock is behind. */
  CLOCK_BEHIND,
  /** The certificate has expired. */
  RECOVER,
  /** It is time for the next certificate. */
  RENEW,
  /** All is well. */
  NOTHING;

  /**
   * Decides.
   *
   * @param token whether there is a token to be tried; somebody who brings one wants it used
   * @param due when the certificate is to be replaced
   */
  static IdentityStep of(
      boolean token, Optional<X509Certificate> certificate, Instant due, Instant now) {
    if (token) {
      return ENROLL;
    }
    if (certificate.isEmpty()) {
      return WAIT;
    }
    if (now.isBefore(certificate.get().getNotBefore().toInstant())) {
      return CLOCK_BEHIND;
    }
    if (now.isAfter(certificate.get().getNotAfter().toInstant())) {
      return RECOVER;
    }
    return now.isBefore(due) ? NOTHING : RENEW;
  }
}
