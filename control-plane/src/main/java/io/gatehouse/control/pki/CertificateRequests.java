package io.gatehouse.control.pki;

import io.gatehouse.model.net.InvalidValueException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Set;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.PKCSException;

/** Reads PKCS#10 requests (RFC 2986) that anybody may have sent. Only the key is taken. */
public final class CertificateRequests {
  private static final int MAX_BYTES = 4_096;
  private static final Set<ASN1ObjectIdentifier> CURVES =
      Set.of(SECObjectIdentifiers.secp256r1, SECObjectIdentifiers.secp384r1);

  private CertificateRequests() {}

  /**
   * The key that the sender has proved to hold.
   *
   * @throws InvalidValueException with the field {@code certificate_request}
   */
  public static PublicKey keyOf(byte[] der) {
    if (der.length == 0 || der.length > MAX_BYTES) {
      throw invalid(der, "is outside 1.." + MAX_BYTES);
    }
    try {
      PKCS10CertificationRequest request = new PKCS10CertificationRequest(der);
      SubjectPublicKeyInfo key = request.getSubjectPublicKeyInfo();
      checkCurve(der, key.getAlgorithm());
      PublicKey read =
          KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(key.getEncoded()));
      if (!request.isSignatureValid(new JcaContentVerifierProviderBuilder().build(read))) {
        throw invalid(der, "is not signed with its own key");
      }
      return read;
    } catch (IOException
        | GeneralSecurityException
        | OperatorCreationException
        | PKCSException
        | IllegalArgumentException
        | IllegalStateException e) {
      if (e instanceof InvalidValueException known) {
        throw known;
      }
      throw invalid(der, "is no PKCS#10 request with an EC key on P-256 or P-384");
    }
  }

  private static void checkCurve(byte[] der, AlgorithmIdentifier algorithm) {
    boolean known =
        algorithm.getAlgorithm().equals(X9ObjectIdentifiers.id_ecPublicKey)
            && algorithm.getParameters() instanceof ASN1ObjectIdentifier curve
            && CURVES.contains(curve);
    if (!known) {
      throw invalid(der, "has a key that is not EC on P-256 or P-384");
    }
  }

  private static InvalidValueException invalid(byte[] der, String reason) {
    return new InvalidValueException("certificate_request", der.length + " bytes", reason);
  }
}
