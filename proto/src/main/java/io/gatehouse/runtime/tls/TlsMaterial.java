package io.gatehouse.runtime.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * What the three files held at one moment: the key belongs to the first certificate.
 *
 * @param alias names this reading of the files
 */
record TlsMaterial(
    String alias, List<X509Certificate> chain, PrivateKey key, X509ExtendedTrustManager trust) {

  static TlsMaterial load(TlsPaths paths, String alias) {
    List<X509Certificate> chain = certificates(paths.certificate());
    PrivateKey key = PrivateKeys.read(paths.key());
    if (!PrivateKeys.belongTogether(key, chain.get(0).getPublicKey())) {
      throw new TlsFileException(
          paths.key(), "does not belong to the first certificate of " + paths.certificate());
    }
    return new TlsMaterial(alias, chain, key, trust(certificates(paths.ca())));
  }

  private static List<X509Certificate> certificates(Path file) {
    List<X509Certificate> certificates = new ArrayList<>();
    for (Pem block : Pem.read(file)) {
      if (block.label().equals("CERTIFICATE")) {
        certificates.add(certificate(file, block));
      }
    }
    if (certificates.isEmpty()) {
      throw new TlsFileException(file, "has no block CERTIFICATE");
    }
    return List.copyOf(certificates);
  }

  private static X509Certificate certificate(Path file, Pem block) {
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      return (X509Certificate)
          factory.generateCertificate(new ByteArrayInputStream(block.content()));
    } catch (CertificateException e) {
      throw new TlsFileException(file, "has a certificate that cannot be read", e);
    }
  }

  private static X509ExtendedTrustManager trust(List<X509Certificate> authorities) {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      for (int i = 0; i < authorities.size(); i++) {
        store.setCertificateEntry("ca" + i, authorities.get(i));
      }
      TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
      factory.init(store);
      for (TrustManager manager : factory.getTrustManagers()) {
        if (manager instanceof X509ExtendedTrustManager extended) {
          return extended;
        }
      }
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("every JDK checks X.509 chains", e);
    }
    throw new IllegalStateException("every JDK checks X.509 chains");
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "TlsMaterial[" + chain.get(0).getSubjectX500Principal() + "]";
  }
}
