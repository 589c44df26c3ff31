package io.gatehouse.control.pki;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.Extension;

/**
 * How keys are told apart: the SHA-256 of their SubjectPublicKeyInfo, of which certificates carry
 * 20 bytes (RFC 7093 §2, method 4) and names of authorities 8.
 */
final class KeyId {
  private static final int EXTENSION_BYTES = 20;
  private static final int NAME_BYTES = 8;

  private KeyId() {}

  /** For the extensions of certificates. */
  static byte[] extension(PublicKey key) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(key.getEncoded());
      return Arrays.copyOf(hash, EXTENSION_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Last part of an authority's name. */
  static String name(PublicKey key) {
    return name(extension(key));
  }

  /** The authority that has signed a certificate, as the certificate says. */
  static Optional<String> authorityOf(X509Certificate certificate) {
    byte[] wrapped = certificate.getExtensionValue(Extension.authorityKeyIdentifier.getId());
    if (wrapped == null) {
      return Optional.empty();
    }
    try {
      byte[] extension = ASN1OctetString.getInstance(wrapped).getOctets();
      byte[] id = AuthorityKeyIdentifier.getInstance(extension).getKeyIdentifierOctets();
      return id == null || id.length < NAME_BYTES ? Optional.empty() : Optional.of(name(id));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String name(byte[] id) {
    return HexFormat.of().formatHex(id, 0, NAME_BYTES);
  }
}
