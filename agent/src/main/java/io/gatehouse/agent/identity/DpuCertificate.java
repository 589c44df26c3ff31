package io.gatehouse.agent.identity;

import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.runtime.identity.CertificateName;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * Whose a certificate is. The control plane goes by the certificate alone: an agent with another
 * DPU's would be given, and open, that DPU's ports.
 */
final class DpuCertificate {
  private DpuCertificate() {}

  /**
   * Checks that a certificate was given to a DPU.
   *
   * @throws InvalidValueException if it was not
   */
  static void check(DpuName dpu, X509Certificate certificate) {
    String ending = "/dpu/" + dpu.dpu();
    List<String> uris = CertificateName.uris(certificate);
    if (uris.stream().noneMatch(uri -> uri.startsWith("spiffe://") && uri.endsWith(ending))) {
      throw new InvalidValueException(
          "dpu", dpu.dpu(), "is not the DPU that the certificate was given to, " + uris);
    }
  }
}
