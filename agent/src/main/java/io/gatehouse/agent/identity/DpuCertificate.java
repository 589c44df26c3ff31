package io.gatehouse.agent.identity;

import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.InvalidValueException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * Whose a certificate is. The control plane goes by the certificate alone: an agent with another
 * DPU's would be given, and open, that DPU's ports.
 */
final class DpuCertificate {
  /** Kind of a subject alternative name that is a URI (RFC 5280 §4.2.1.6). */
  private static final int URI_NAME = 6;

  private DpuCertificate() {}

  /**
   * Checks that a certificate was given to a DPU.
   *
   * @throws InvalidValueException if it was not
   */
  static void check(DpuName dpu, X509Certificate certificate) {
    String ending = "/dpu/" + dpu.dpu();
    List<String> uris = uris(certificate).toList();
    if (uris.stream().noneMatch(uri -> uri.startsWith("spiffe://") && uri.endsWith(ending))) {
      throw new InvalidValueException(
          "dpu", dpu.dpu(), "is not the DPU that the certificate was given to, " + uris);
    }
  }

  private static Stream<String> uris(X509Certificate certificate) {
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      return names == null
          ? Stream.empty()
          : names.stream()
              .filter(name -> Integer.valueOf(URI_NAME).equals(name.get(0)))
              .map(name -> String.valueOf(name.get(1)));
    } catch (CertificateParsingException e) {
      return Stream.empty();
    }
  }
}
