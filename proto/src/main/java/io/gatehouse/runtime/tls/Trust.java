package io.gatehouse.runtime.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** Trust in given authorities and in nobody else. */
public final class Trust {
  private Trust() {}

  /** A check of chains, times, usages and names (RFC 5280) against the authorities. */
  public static X509ExtendedTrustManager in(List<X509Certificate> authorities) {
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
}
