package io.gatehouse.runtime.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;
import java.util.Set;

/** Reads private keys and checks whom they belong to. */
final class PrivateKeys {
  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rwx------");
  private static final List<String> ALGORITHMS = List.of("EC", "RSA", "Ed25519");

  private PrivateKeys() {}

  /** Reads the one key of a file that only its owner may read or write. */
  static PrivateKey read(Path file) {
    List<Pem> blocks = Pem.read(file);
    checkPermissions(file);
    for (Pem block : blocks) {
      switch (block.label()) {
        case "PRIVATE KEY" -> {
          return decode(file, block.content());
        }
        case "EC PRIVATE KEY" -> {
          return decode(file, Sec1.toPkcs8(file, block.content()));
        }
        case "ENCRYPTED PRIVATE KEY" ->
            throw new TlsFileException(file, "the key is encrypted; a daemon cannot ask for it");
        case "RSA PRIVATE KEY" ->
            throw new TlsFileException(
                file, "the key is PKCS#1; convert it with openssl pkcs8 -topk8 -nocrypt");
        default -> {}
      }
    }
    throw new TlsFileException(file, "has no block PRIVATE KEY or EC PRIVATE KEY");
  }

  /** Signs with the one and verifies with the other. */
  static boolean belongTogether(PrivateKey key, PublicKey certified) {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "EC" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          default -> "Ed25519";
        };
    try {
      byte[] message = {1, 2, 3, 4};
      Signature signer = Signature.getInstance(algorithm);
      signer.initSign(key);
      signer.update(message);
      Signature verifier = Signature.getInstance(algorithm);
      verifier.initVerify(certified);
      verifier.update(message);
      return verifier.verify(signer.sign());
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static void checkPermissions(Path file) {
    try {
      Set<PosixFilePermission> granted = Files.getPosixFilePermissions(file);
      if (!OWNER.containsAll(granted)) {
        throw new TlsFileException(
            file,
            "is open to group or others ("
                + PosixFilePermissions.toString(granted)
                + "); chmod 600 it");
      }
    } catch (IOException e) {
      throw new TlsFileException(file, "cannot be read: " + e.getMessage(), e);
    }
  }

  private static PrivateKey decode(Path file, byte[] pkcs8) {
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
      } catch (InvalidKeySpecException e) {
        // Not of this algorithm: the next one.
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("every JDK has " + algorithm, e);
      }
    }
    throw new TlsFileException(file, "holds no EC, RSA or Ed25519 key that can be read");
  }
}
