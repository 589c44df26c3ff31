package io.gatehouse.runtime.identity;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A key, its certificate and whom to trust, as they are kept on disk. A certificate may have
 * expired.
 *
 * @param chain the own certificate, then those between it and a root; not empty
 * @param roots where peers' chains end; not empty
 */
public record HeldIdentity(
    PrivateKey key, List<X509Certificate> chain, List<X509Certificate> roots) {
  public HeldIdentity {
    chain = List.copyOf(chain);
    roots = List.copyOf(roots);
    if (chain.isEmpty() || roots.isEmpty()) {
      throw new IllegalArgumentException(
          "an identity has a certificate and a root: " + chain.size() + ", " + roots.size());
    }
  }

  public X509Certificate certificate() {
    return chain.get(0);
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "HeldIdentity["
        + certificate().getSubjectX500Principal()
        + " until "
        + certificate().getNotAfter().toInstant()
        + "]";
  }
}
