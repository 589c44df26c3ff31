package io.gatehouse.runtime.identity;

import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.IdentityName;
import io.gatehouse.model.net.InvalidValueException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Who a certificate says its holder is: the one URI among its subject alternative names (SPIFFE).
 * {@code /dpu/{id}}, {@code /operator/{name}} and {@code /tenant/{tenant}/{name}} below the trust
 * domain; what {@link IdentityName#spiffePath} writes.
 */
public final class CertificateName {
  /** Type of a URI among the names of RFC 5280 §4.2.1.6. */
  private static final int URI_NAME = 6;

  private static final Pattern FORM =
      Pattern.compile(
          "spiffe://(?<domain>[a-z0-9._-]{1,255})/(?:dpu/(?<dpu>[a-z0-9-]{1,40})"
              + "|operator/(?<operator>[a-z0-9-]{1,40})"
              + "|tenant/(?<tenant>[a-z0-9-]{1,40})/(?<member>[a-z0-9-]{1,40}))");

  private CertificateName() {}

  /** Reads a certificate; empty if it does not name exactly one holder in the trust domain. */
  public static Optional<IdentityName> of(X509Certificate certificate, String trustDomain) {
    List<String> uris = uris(certificate);
    if (uris.size() != 1) {
      return Optional.empty();
    }
    Matcher parts = FORM.matcher(uris.get(0));
    if (!parts.matches() || !parts.group("domain").equals(trustDomain)) {
      return Optional.empty();
    }
    try {
      return Optional.of(identity(parts));
    } catch (InvalidValueException e) {
      return Optional.empty();
    }
  }

  /** All URIs among the subject alternative names; none if they cannot be read. */
  public static List<String> uris(X509Certificate certificate) {
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

  private static IdentityName identity(Matcher parts) {
    String dpu = parts.group("dpu");
    if (dpu != null) {
      return IdentityName.of(new DpuName(dpu));
    }
    String operator = parts.group("operator");
    return operator != null
        ? IdentityName.ofOperator(operator)
        : new IdentityName(
            IdentityName.Kind.TENANT_OPERATOR, parts.group("tenant"), parts.group("member"));
  }
}
