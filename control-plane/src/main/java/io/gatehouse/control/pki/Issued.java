package io.gatehouse.control.pki;

import io.gatehouse.control.image.identity.CertificateRecord;
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
}
