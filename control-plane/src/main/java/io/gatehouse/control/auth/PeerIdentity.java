package io.gatehouse.control.auth;

import io.gatehouse.model.name.DpuName;
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
 */
sealed interface PeerIdentity {

  /** {@code spiffe://{trust domain}/dpu/{id}}. */
  record OfDpu(DpuName dpu) implements PeerIdentity {
    @Override
    public String toString() {
      return "dpu/" + dpu.dpu();
    }
  }

  /** {@code spiffe://{trust domain}/operator/{name}}. */
  record OfOperator(String name) implements PeerIdentity {
    @Override
    public String toString() {
      return "operator/" + name;
    }
  }

  /** Type of a URI among the names of RFC 5280 §4.2.1.6. */
  int URI_NAME = 6;

  Pattern FORM =
      Pattern.compile("spiffe://([a-z0-9._-]{1,255})/(dpu|operator)/([a-z0-9._-]{1,64})");

  /** Reads a certificate; empty if it names nobody in the trust domain. */
  static Optional<PeerIdentity> of(X509Certificate certificate, String trustDomain) {
    List<String> uris = uris(certificate);
    if (uris.size() != 1) {
      return Optional.empty();
    }
    Matcher parts = FORM.matcher(uris.get(0));
    if (!parts.matches() || !parts.group(1).equals(trustDomain)) {
      return Optional.empty();
    }
    if (parts.group(2).equals("operator")) {
      return Optional.of(new OfOperator(parts.group(3)));
    }
    try {
      return Optional.of(new OfDpu(new DpuName(parts.group(3))));
    } catch (InvalidValueException e) {
      return Optional.empty();
    }
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
