package io.gatehouse.runtime.tls;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.CRLException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/**
 * Certificates that their authorities refuse (RFC 5280 §5), as far as it is known here. A list that
 * is old counts, and one that is missing is no reason to refuse: trust must not end because nobody
 * could be asked.
 */
record RevokedCertificates(List<X509CRL> lists) {
  private static final String LABEL = "X509 CRL";

  RevokedCertificates {
    lists = List.copyOf(lists);
  }

  /**
   * The lists among the blocks of a PEM file; there may be none.
   *
   * @throws TlsFileException if one cannot be read
   */
  static RevokedCertificates in(Path file) {
    List<X509CRL> lists = new ArrayList<>();
    for (Pem block : Pem.read(file)) {
      if (block.label().equals(LABEL)) {
        lists.add(list(file, block));
      }
    }
    return new RevokedCertificates(lists);
  }

  private static X509CRL list(Path file, Pem block) {
    try {
      return (X509CRL)
          CertificateFactory.getInstance("X.509")
              .generateCRL(new ByteArrayInputStream(block.content()));
    } catch (CertificateException | CRLException e) {
      throw new TlsFileException(file, "has a revocation list that cannot be read", e);
    }
  }

  /**
   * Checks each certificate of a verified chain.
   *
   * @param authorities that the chain may end in
   * @throws CertificateException if one is revoked by whoever has signed it
   */
  void check(X509Certificate[] chain, X509Certificate[] authorities) throws CertificateException {
    for (X509Certificate certificate : chain) {
      for (X509CRL list : lists) {
        if (list.isRevoked(certificate)
            && (isSignedByOne(list, chain) || isSignedByOne(list, authorities))) {
          throw new CertificateException(
              "the certificate of "
                  + certificate.getSubjectX500Principal()
                  + " is revoked by its authority");
        }
      }
    }
  }

  private static boolean isSignedByOne(X509CRL list, X509Certificate[] issuers) {
    for (X509Certificate issuer : issuers) {
      if (issuer.getSubjectX500Principal().equals(list.getIssuerX500Principal())
          && isSignedBy(list, issuer.getPublicKey())) {
        return true;
      }
    }
    return false;
  }

  private static boolean isSignedBy(X509CRL list, PublicKey key) {
    try {
      list.verify(key);
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
