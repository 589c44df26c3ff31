package io.gatehouse.control.pki;

import io.gatehouse.runtime.PrivateFile;
import io.gatehouse.runtime.tls.PemFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.List;
import java.util.Optional;

/**
 * Keys in a directory: {@code NAME.key} with mode 0600 and {@code NAME.pem}. A key can be taken
 * away; its certificate may stay.
 */
final class FileKeyVault implements KeyVault {
  private final Path directory;

  FileKeyVault(Path directory) {
    this.directory = directory;
  }

  @Override
  public SigningKey make(String curve) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec(curve));
      KeyPair pair = generator.generateKeyPair();
      return new SigningKey(pair.getPrivate(), pair.getPublic(), Optional.empty());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + curve, e);
    }
  }

  /** The certificate first: a key without one would not be found. */
  @Override
  public void keep(String name, SigningKey key, List<X509Certificate> chain) {
    try {
      byte[] certificate = chain.get(0).getEncoded();
      PrivateFile.replace(certificate(name), PemFiles.block("CERTIFICATE", certificate));
      byte[] encoded = key.privateKey().getEncoded();
      PrivateFile.replace(key(name), PemFiles.block("PRIVATE KEY", encoded));
    } catch (IOException | GeneralSecurityException e) {
      throw new PkiException(key(name) + " cannot be written: " + e.getMessage(), e);
    }
  }

  @Override
  public Optional<Kept> find(String name) {
    if (!Files.exists(key(name)) || !Files.exists(certificate(name))) {
      return Optional.empty();
    }
    PrivateKey key = PemFiles.key(key(name));
    X509Certificate certificate = PemFiles.certificates(certificate(name)).get(0);
    if (!PemFiles.belongTogether(key, certificate.getPublicKey())) {
      throw new PkiException(key(name) + " does not belong to " + certificate(name));
    }
    return Optional.of(
        new Kept(new SigningKey(key, certificate.getPublicKey(), Optional.empty()), certificate));
  }

  @Override
  public String place(String name) {
    return key(name) + " and " + certificate(name).getFileName();
  }

  private Path key(String name) {
    return directory.resolve(name + ".key");
  }

  private Path certificate(String name) {
    return directory.resolve(name + ".pem");
  }
}
