package io.gatehouse.runtime.identity;

import io.gatehouse.runtime.tls.Trust;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Predicate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts a server whose chain holds the pinned root and is valid from it, name and times included.
 * The root is learnt from the server, which is safe: only one certificate has the fingerprint.
 */
final class PinnedTrustManager extends X509ExtendedTrustManager {
  private final Predicate<X509Certificate> pinned;

  PinnedTrustManager(Predicate<X509Certificate> pinned) {
    this.pinned = pinned;
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    trust(chain).checkServerTrusted(chain, authType, engine);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    trust(chain).checkServerTrusted(chain, authType, socket);
  }

  /** Refused: without the connection the server's name cannot be checked. */
  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw new CertificateException("a server is checked with its connection only");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    throw noClients();
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    throw noClients();
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw noClients();
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }

  private X509ExtendedTrustManager trust(X509Certificate[] chain) throws CertificateException {
    for (X509Certificate certificate : chain) {
      if (pinned.test(certificate)) {
        return Trust.in(List.of(certificate));
      }
    }
    throw new CertificateException("the server's chain has not the root that the token names");
  }

  private static CertificateException noClients() {
    return new CertificateException("this is the client's side");
  }
}
