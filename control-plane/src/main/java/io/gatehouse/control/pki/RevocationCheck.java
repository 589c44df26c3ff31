package io.gatehouse.control.pki;

import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.identity.ShownCertificate;
import io.gatehouse.runtime.tls.PeerCheck;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/** Refuses at the handshake whatever the newest image says is revoked. */
public final class RevocationCheck implements PeerCheck {
  private static final String NOBODY = "the certificate names nobody in ";

  private final Supplier<Image> newest;
  private final String trustDomain;
  private final InstantSource clock;

  public RevocationCheck(Supplier<Image> newest, String trustDomain, InstantSource clock) {
    this.newest = newest;
    this.trustDomain = trustDomain;
    this.clock = clock;
  }

  @Override
  public void check(X509Certificate certificate) throws CertificateException {
    Optional<String> refusal = refusal(certificate);
    if (refusal.isPresent()) {
      throw new CertificateException(refusal.get());
    }
  }

  /** Why the certificate is not accepted; empty if it is. */
  public Optional<String> refusal(X509Certificate certificate) {
    Instant end = certificate.getNotAfter().toInstant();
    return PeerCertificates.read(certificate, trustDomain)
        .map(shown -> refusal(shown, end))
        .orElseGet(() -> expiry(end).or(() -> Optional.of(NOBODY + trustDomain)));
  }

  /** The same, of a certificate that was read before and ends at that time. */
  public Optional<String> refusal(ShownCertificate shown, Instant end) {
    return expiry(end).or(() -> newest.get().identities().refusal(shown));
  }

  /** TLS looks at the time once; a connection can outlive it. */
  private Optional<String> expiry(Instant end) {
    return clock.instant().isAfter(end)
        ? Optional.of("the certificate has expired")
        : Optional.empty();
  }
}
