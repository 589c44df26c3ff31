package io.gatehouse.runtime.tls;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Certificates and keys in PEM files (RFC 7468); a file may hold both. */
public final class PemFiles {
  private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

  private PemFiles() {}

  /**
   * All certificates of a file, in order.
   *
   * @throws TlsFileException if there is none, or one cannot be read
   */
  public static List<X509Certificate> certificates(Path file) {
    List<X509Certificate> certificates = new ArrayList<>();
    for (Pem block : Pem.read(file)) {
      if (block.label().equals("CERTIFICATE")) {
        certificates.add(certificate(file, block));
      }
    }
    if (certificates.isEmpty()) {
      throw new TlsFileException(file, "has no block CERTIFICATE");
    }
    return List.copyOf(certificates);
  }

  /**
   * The one key of a file that only its owner may read or write.
   *
   * @throws TlsFileException if there is none, it cannot be read, or others may read it
   */
  public static PrivateKey key(Path file) {
    return PrivateKeys.read(file);
  }

  /**
   * The first public key of a file, which is on an elliptic curve.
   *
   * @throws TlsFileException if there is none, or it cannot be read
   */
  public static PublicKey publicKey(Path file) {
    for (Pem block : Pem.read(file)) {
      if (block.label().equals("PUBLIC KEY")) {
        try {
          return KeyFactory.getInstance("EC")
              .generatePublic(new X509EncodedKeySpec(block.content()));
        } catch (GeneralSecurityException e) {
          throw new TlsFileException(file, "has a public key that cannot be read", e);
        }
      }
    }
    throw new TlsFileException(file, "has no block PUBLIC KEY");
  }

  /**
   * Whether the private key belongs to the public one: signs with the one, verifies by the other.
   */
  public static boolean belongTogether(PrivateKey key, PublicKey certified) {
    return PrivateKeys.belongTogether(key, certified);
  }

  /** A block of a PEM file. */
  public static String block(String label, byte[] der) {
    return "-----BEGIN "
        + label
        + "-----\n"
        + LINES.encodeToString(der)
        + "\n-----END "
        + label
        + "-----\n";
  }

  private static X509Certificate certificate(Path file, Pem block) {
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      return (X509Certificate)
          factory.generateCertificate(new ByteArrayInputStream(block.content()));
    } catch (CertificateException e) {
      throw new TlsFileException(file, "has a certificate that cannot be read", e);
    }
  }
}
