package io.gatehouse.control.pki;

import io.gatehouse.control.image.identity.CertificateRecord;
import io.gatehouse.control.image.identity.Der;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A certificate that was signed. It goes to nobody before the journal holds it.
 *
 * @param chain the certificate, then its authority's
 */
public record Issued(CertificateRecord entry, List<X509Certificate> chain) {
  public Issued {
    chain = List.copyOf(chain);
  }

  /** The certificate itself. */
  public Der encoded() {
    try {
      return Der.of(chain.get(0).getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was made can be written", e);
    }
  }
}
