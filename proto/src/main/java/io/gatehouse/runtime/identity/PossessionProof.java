package io.gatehouse.runtime.identity;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECKey;

/**
 * Shows that the holder of an expired certificate has its key, and wants this new key certified
 * now. What is signed stands at {@code RecoverCertificateRequest.possession_proof} in the contract.
 */
public final class PossessionProof {
  private static final byte[] PURPOSE = "gatehouse recover v1".getBytes(StandardCharsets.US_ASCII);
  private static final int LARGEST_P256_BITS = 256;

  private PossessionProof() {}

  /**
   * Signs with the old key.
   *
   * @param signedAtMillis now, since 1970 UTC
   * @param certificateRequest for the new key, DER
   */
  public static byte[] sign(PrivateKey oldKey, long signedAtMillis, byte[] certificateRequest) {
    try {
      Signature signer = Signature.getInstance(algorithm(oldKey));
      signer.initSign(oldKey);
      signer.update(message(signedAtMillis, certificateRequest));
      return signer.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the old key cannot sign", e);
    }
  }

  /** Whether the proof was made with the key that belongs to this one. */
  public static boolean isValid(
      PublicKey oldKey, byte[] proof, long signedAtMillis, byte[] certificateRequest) {
    try {
      Signature verifier = Signature.getInstance(algorithm(oldKey));
      verifier.initVerify(oldKey);
      verifier.update(message(signedAtMillis, certificateRequest));
      return verifier.verify(proof);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static byte[] message(long signedAtMillis, byte[] certificateRequest) {
    return ByteBuffer.allocate(PURPOSE.length + 1 + Long.BYTES + certificateRequest.length)
        .put(PURPOSE)
        .put((byte) 0)
        .putLong(signedAtMillis)
        .put(certificateRequest)
        .array();
  }

  private static String algorithm(Key key) throws GeneralSecurityException {
    if (!(key instanceof ECKey ec)) {
      throw new GeneralSecurityException("no EC key");
    }
    int bits = ec.getParams().getCurve().getField().getFieldSize();
    return bits > LARGEST_P256_BITS ? "SHA384withECDSA" : "SHA256withECDSA";
  }
}
