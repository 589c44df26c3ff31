package io.gatehouse.runtime.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** Checks peers against the authorities that the file holds at the time of the handshake. */
final class CurrentTrustManager extends X509ExtendedTrustManager {
  private final TlsFiles files;
  private final PeerCheck clients;

  CurrentTrustManager(TlsFiles files, PeerCheck clients) {
    this.files = files;
    this.clients = clients;
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    files.current().trust().checkClientTrusted(chain, authType, engine);
    clients.check(chain[0]);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    files.current().trust().checkServerTrusted(chain, authType, engine);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    files.current().trust().checkClientTrusted(chain, authType, socket);
    clients.check(chain[0]);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    files.current().trust().checkServerTrusted(chain, authType, socket);
  }

  /** Refused: without the connection the peer's name cannot be checked. */
  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw new CertificateException("a peer is checked with its connection only");
  }

  /** Refused, as above. */
  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw new CertificateException("a peer is checked with its connection only");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return files.current().trust().getAcceptedIssuers();
  }
}
