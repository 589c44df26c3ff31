package io.gatehouse.runtime.tls;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;

/** What is asked of a client beyond a chain that ends in a trusted authority. */
@FunctionalInterface
public interface PeerCheck {
  /** Asks nothing more. */
  PeerCheck NONE = certificate -> {};

  /**
   * Checks a certificate whose chain and times are verified. Called at each handshake, on the
   * network's threads: must return at once.
   *
   * @throws CertificateException if the connection must not come about
   */
  void check(X509Certificate certificate) throws CertificateException;
}
