package io.gatehouse.control.pki;

import io.gatehouse.control.image.identity.ShownCertificate;
import io.gatehouse.model.name.IdentityName;
import io.gatehouse.runtime.identity.CertificateName;
import java.security.cert.X509Certificate;
import java.util.Optional;

/** What certificates of our own authorities say of their holders. */
public final class PeerCertificates {
  private PeerCertificates() {}

  /** Reads a certificate; empty if it names nobody in the trust domain, or no authority. */
  public static Optional<ShownCertificate> read(X509Certificate certificate, String trustDomain) {
    Optional<String> authority = KeyId.authorityOf(certificate);
    Optional<IdentityName> identity = CertificateName.of(certificate, trustDomain);
    if (authority.isEmpty() || identity.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new ShownCertificate(
            identity.get(),
            Profiles.serialText(certificate),
            authority.get(),
            certificate.getNotBefore().toInstant().plus(Profiles.BACKDATED)));
  }
}
