package io.gatehouse.control.identity;

import com.google.protobuf.ByteString;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.pki.Authorities;
import io.gatehouse.control.pki.RevocationLists;
import io.gatehouse.proto.v1.Credential;
import io.gatehouse.proto.v1.TrustBundle;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/** What those who connect are told to trust. Any thread. */
public final class TrustBundles {
  private static final int MAX_LISTS = 16;

  private final RevocationLists lists;
  private final List<ByteString> policyKeys;

  /**
   * Bundles.
   *
   * @param policyKeys public keys that sign policy, SubjectPublicKeyInfo in DER, the newest first
   */
  public TrustBundles(RevocationLists lists, List<ByteString> policyKeys) {
    this.lists = lists;
    this.policyKeys = List.copyOf(policyKeys);
  }

  /** Whom to trust by this image. */
  TrustBundle of(Image image, Instant now) {
    TrustBundle.Builder bundle =
        TrustBundle.newBuilder()
            .addRootCertificates(der(Authorities.root(image)))
            .addAllPolicyKeys(policyKeys);
    lists.all(image, now).stream()
        .limit(MAX_LISTS)
        .forEach(list -> bundle.addRevocationLists(ByteString.copyFrom(list)));
    return bundle.build();
  }

  /**
   * A certificate with what its holder needs.
   *
   * @param chain the certificate, then its authority's
   */
  Credential credential(List<X509Certificate> chain, Image image, Instant now) {
    return Credential.newBuilder()
        .addAllCertificateChain(chain.stream().map(TrustBundles::der).toList())
        .setTrustBundle(of(image, now))
        .build();
  }

  static ByteString der(X509Certificate certificate) {
    try {
      return ByteString.copyFrom(certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was read can be written", e);
    }
  }
}
