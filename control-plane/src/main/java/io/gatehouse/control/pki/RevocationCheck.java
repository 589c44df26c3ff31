package io.gatehouse.control.pki;

import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.identity.ShownCertificate;
import io.gatehouse.runtime.tls.PeerCheck;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/** Refuses at the handshake whatever the newest image says is revoked. */
public final class RevocationCheck implements PeerCheck {
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
    // TLS looks at the time once; a connection can outlive it.
    if (clock.instant().isAfter(certificate.getNotAfter().toInstant())) {
      return Optional.of("the certificate has expired");
    }
    Optional<ShownCertificate> shown = PeerCertificates.read(certificate, trustDomain);
    return shown.isPresent()
        ? newest.get().identities().refusal(shown.get())
        : Optional.of("the certificate names nobody in " + trustDomain);
  }
}
