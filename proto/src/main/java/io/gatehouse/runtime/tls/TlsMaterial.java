package io.gatehouse.runtime.tls;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * What the three files held at one moment: the key belongs to the first certificate.
 *
 * @param revoked by lists in the file of the authorities
 * @param alias names this reading of the files
 */
record TlsMaterial(
    String alias,
    List<X509Certificate> chain,
    PrivateKey key,
    X509ExtendedTrustManager trust,
    RevokedCertificates revoked) {

  static TlsMaterial load(TlsPaths paths, String alias) {
    List<X509Certificate> chain = PemFiles.certificates(paths.certificate());
    PrivateKey key = PrivateKeys.read(paths.key());
    if (!PrivateKeys.belongTogether(key, chain.get(0).getPublicKey())) {
      throw new TlsFileException(
          paths.key(), "does not belong to the first certificate of " + paths.certificate());
    }
    return new TlsMaterial(
        alias,
        chain,
        key,
        Trust.in(PemFiles.certificates(paths.ca())),
        RevokedCertificates.in(paths.ca()));
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "TlsMaterial[" + chain.get(0).getSubjectX500Principal() + "]";
  }
}
