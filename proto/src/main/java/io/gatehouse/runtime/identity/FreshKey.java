package io.gatehouse.runtime.identity;

import io.gatehouse.runtime.tls.PemFiles;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.Optional;

/** A key that was just made for one certificate: EC on P-256. */
public final class FreshKey {
  private static final String CURVE = "secp256r1";

  /** 1.2.840.10045.4.3.2, ecdsa-with-SHA256 (RFC 5758). */
  private static final byte[] ECDSA_WITH_SHA256 = {
    0x06, 0x08, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x04, 0x03, 0x02
  };

  private static final byte[] ALL_BITS_USED = {0};

  private final KeyPair pair;

  private FreshKey(KeyPair pair) {
    this.pair = pair;
  }

  /** Makes one with the platform's strong source of chance. */
  public static FreshKey make() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec(CURVE));
      return new FreshKey(generator.generateKeyPair());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has P-256", e);
    }
  }

  /**
   * Reads one that was kept until its certificate is there.
   *
   * @throws io.gatehouse.runtime.tls.TlsFileException if the file cannot be used
   */
  static Optional<FreshKey> read(Path file) {
    PrivateKey key = PemFiles.key(file);
    PublicKey publicKey = PemFiles.publicKey(file);
    return PemFiles.belongTogether(key, publicKey)
        ? Optional.of(new FreshKey(new KeyPair(publicKey, key)))
        : Optional.empty();
  }

  /** What {@link #read} reads: a secret. */
  String pem() {
    return PemFiles.block("PRIVATE KEY", pair.getPrivate().getEncoded())
        + PemFiles.block("PUBLIC KEY", pair.getPublic().getEncoded());
  }

  public PrivateKey privateKey() {
    return pair.getPrivate();
  }

  public PublicKey publicKey() {
    return pair.getPublic();
  }

  /** A PKCS#10 request (RFC 2986) with this key and an empty name, DER. */
  public byte[] certificateRequest() {
    byte[] wanted =
        Der.element(
            Der.SEQUENCE,
            Der.VERSION_0,
            Der.element(Der.SEQUENCE),
            pair.getPublic().getEncoded(),
            Der.element(Der.ATTRIBUTES));
    return Der.element(
        Der.SEQUENCE,
        wanted,
        Der.element(Der.SEQUENCE, ECDSA_WITH_SHA256),
        Der.element(Der.BIT_STRING, ALL_BITS_USED, signature(wanted)));
  }

  private byte[] signature(byte[] content) {
    try {
      Signature signer = Signature.getInstance("SHA256withECDSA");
      signer.initSign(pair.getPrivate());
      signer.update(content);
      return signer.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a fresh key signs", e);
    }
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "FreshKey[" + CURVE + "]";
  }
}
