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
    TlsMaterial now = files.current();
    now.trust().checkClientTrusted(chain, authType, engine);
    now.revoked().check(chain, now.trust().getAcceptedIssuers());
    clients.check(chain[0]);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    TlsMaterial now = files.current();
    now.trust().checkServerTrusted(chain, authType, engine);
    now.revoked().check(chain, now.trust().getAcceptedIssuers());
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    TlsMaterial now = files.current();
    now.trust().checkClientTrusted(chain, authType, socket);
    now.revoked().check(chain, now.trust().getAcceptedIssuers());
    clients.check(chain[0]);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    TlsMaterial now = files.current();
    now.trust().checkServerTrusted(chain, authType, socket);
    now.revoked().check(chain, now.trust().getAcceptedIssuers());
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
