package io.gatehouse.runtime.identity;

import com.google.protobuf.ByteString;
import io.gatehouse.proto.v1.Credential;
import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.cert.CRLException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Looks at an answer before it is kept: a bad one must not replace a good one on disk. */
final class CredentialCheck {
  private static final int MAX_CERTIFICATES = 8;
  private static final int MAX_BYTES = 8 * 1024;

  private CredentialCheck() {}

  /**
   * Reads an answer.
   *
   * @param trusted the roots that the chain may end in
   * @throws IdentityException if the certificate is not for the key, or not of such a root
   */
  static HeldIdentity read(
      FreshKey key, Credential credential, Predicate<X509Certificate> trusted) {
    List<X509Certificate> chain =
        certificates("certificate_chain", credential.getCertificateChainList());
    List<X509Certificate> roots =
        certificates("root_certificates", credential.getTrustBundle().getRootCertificatesList());
    if (!chain.get(0).getPublicKey().equals(key.publicKey())) {
      throw new IdentityException("the certificate in the answer is for another key");
    }
    Set<TrustAnchor> anchors =
        roots.stream()
            .filter(trusted)
            .map(root -> new TrustAnchor(root, null))
            .collect(Collectors.toUnmodifiableSet());
    if (anchors.isEmpty()) {
      throw new IdentityException("the root that is trusted is not in the answer");
    }
    checkChain(chain, anchors);
    return new HeldIdentity(key.privateKey(), chain, roots);
  }

  /** At the certificate's own time: a clock that is wrong here is seen by its own means. */
  private static void checkChain(List<X509Certificate> chain, Set<TrustAnchor> anchors) {
    try {
      PKIXParameters parameters = new PKIXParameters(anchors);
      parameters.setRevocationEnabled(false);
      Instant start = chain.get(0).getNotBefore().toInstant();
      Duration life = Duration.between(start, chain.get(0).getNotAfter().toInstant());
      parameters.setDate(Date.from(start.plus(life.dividedBy(2))));
      CertPathValidator.getInstance("PKIX")
          .validate(CertificateFactory.getInstance("X.509").generateCertPath(chain), parameters);
    } catch (GeneralSecurityException e) {
      throw new IdentityException(
          "the certificate in the answer is not of the root that is trusted: " + e.getMessage(), e);
    }
  }

  static List<X509Certificate> certificates(String field, List<ByteString> ders) {
    if (ders.isEmpty() || ders.size() > MAX_CERTIFICATES) {
      throw new IdentityException(
          field + " in the answer has " + ders.size() + " elements, not 1.." + MAX_CERTIFICATES);
    }
    List<X509Certificate> certificates = new ArrayList<>();
    for (ByteString der : ders) {
      certificates.add(certificate(field, der));
    }
    return List.copyOf(certificates);
  }

  /** A revocation list that can be read. */
  static byte[] list(ByteString der) {
    try {
      return ((X509CRL)
              CertificateFactory.getInstance("X.509")
                  .generateCRL(new ByteArrayInputStream(der.toByteArray())))
          .getEncoded();
    } catch (CertificateException | CRLException e) {
      throw new IdentityException("revocation_lists in the answer has one that cannot be read", e);
    }
  }

  private static X509Certificate certificate(String field, ByteString der) {
    if (der.size() > MAX_BYTES) {
      throw new IdentityException(field + " in the answer has one of " + der.size() + " bytes");
    }
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(der.toByteArray()));
    } catch (CertificateException e) {
      throw new IdentityException(field + " in the answer has one that cannot be read", e);
    }
  }
}
