package io.gatehouse.control.pki;

import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.interfaces.ECKey;
import java.util.Optional;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * An authority's key.
 *
 * @param provider of a key that stays in a module; empty: any will do
 */
record SigningKey(PrivateKey privateKey, PublicKey publicKey, Optional<Provider> provider) {
  private static final int LARGEST_P256_BITS = 256;

  /** Signs with the hash that fits the curve. */
  ContentSigner signer() {
    JcaContentSignerBuilder builder = new JcaContentSignerBuilder(algorithm());
    provider.ifPresent(builder::setProvider);
    try {
      return builder.build(privateKey);
    } catch (OperatorCreationException e) {
      throw new PkiException("an authority's key cannot sign: " + e.getMessage(), e);
    }
  }

  private String algorithm() {
    int bits = ((ECKey) publicKey).getParams().getCurve().getField().getFieldSize();
    return bits > LARGEST_P256_BITS ? "SHA384withECDSA" : "SHA256withECDSA";
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "SigningKey[" + KeyId.name(publicKey) + "]";
  }
}
