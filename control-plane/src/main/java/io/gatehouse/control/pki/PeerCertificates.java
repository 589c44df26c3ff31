package io.gatehouse.control.pki;

import io.gatehouse.control.image.identity.ShownCertificate;
import io.gatehouse.model.name.IdentityName;
import io.gatehouse.model.net.InvalidValueException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What certificates of our own authorities say of their holders. */
public final class PeerCertificates {
  /** Type of a URI among the names of RFC 5280 §4.2.1.6. */
  private static final int URI_NAME = 6;

  private static final Pattern FORM =
      Pattern.compile("spiffe://([a-z0-9._-]{1,255})/(dpu|operator|tenant)/([a-z0-9/-]{1,81})");

  private PeerCertificates() {}

  /** Reads a certificate; empty if it names nobody in the trust domain, or no authority. */
  public static Optional<ShownCertificate> read(X509Certificate certificate, String trustDomain) {
    Optional<String> authority = KeyId.authorityOf(certificate);
    Optional<IdentityName> identity = identity(certificate, trustDomain);
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

  private static Optional<IdentityName> identity(X509Certificate certificate, String trustDomain) {
    List<String> uris = uris(certificate);
    if (uris.size() != 1) {
      return Optional.empty();
    }
    Matcher parts = FORM.matcher(uris.get(0));
    if (!parts.matches() || !parts.group(1).equals(trustDomain)) {
      return Optional.empty();
    }
    String rest = parts.group(3);
    try {
      return Optional.of(
          switch (parts.group(2)) {
            case "dpu" -> new IdentityName(IdentityName.Kind.DPU, "", rest);
            case "operator" -> IdentityName.ofOperator(rest);
            default -> ofTenant(rest);
          });
    } catch (InvalidValueException e) {
      return Optional.empty();
    }
  }

  private static IdentityName ofTenant(String path) {
    int slash = Math.max(path.indexOf('/'), 0);
    return new IdentityName(
        IdentityName.Kind.TENANT_OPERATOR, path.substring(0, slash), path.substring(slash + 1));
  }

  private static List<String> uris(X509Certificate certificate) {
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      if (names == null) {
        return List.of();
      }
      return names.stream()
          .filter(name -> Integer.valueOf(URI_NAME).equals(name.get(0)))
          .map(name -> String.valueOf(name.get(1)))
          .toList();
    } catch (CertificateParsingException e) {
      return List.of();
    }
  }
}
