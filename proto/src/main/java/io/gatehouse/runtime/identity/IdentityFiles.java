package io.gatehouse.runtime.identity;

import io.gatehouse.proto.v1.TrustBundle;
import io.gatehouse.runtime.PrivateFile;
import io.gatehouse.runtime.tls.PemFiles;
import io.gatehouse.runtime.tls.TlsPaths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * An identity in a directory: {@code identity.pem} has the key and its chain in one file, so that a
 * crash leaves the old pair or the new one and never a mixture; {@code roots.pem} has the roots.
 * Each is replaced as a whole and is on disk when the method returns.
 */
public final class IdentityFiles {
  private final Path directory;

  /** Files in a directory, which is made with the first save. */
  public IdentityFiles(Path directory) {
    this.directory = directory;
  }

  /** What {@code TlsFiles} reads. */
  public TlsPaths paths() {
    return new TlsPaths(roots(), identity(), identity());
  }

  /** Whether there is an identity, valid or not. */
  public boolean exist() {
    return Files.exists(identity());
  }

  /**
   * Reads the identity, expired or not.
   *
   * @throws io.gatehouse.runtime.tls.TlsFileException if a file cannot be used
   */
  public HeldIdentity read() {
    return new HeldIdentity(
        PemFiles.key(identity()),
        PemFiles.certificates(identity()),
        PemFiles.certificates(roots()));
  }

  /** Keeps an identity; the roots first, so that there is never a certificate without them. */
  public void save(HeldIdentity identity) throws IOException {
    saveRoots(identity.roots());
    byte[] key = identity.key().getEncoded();
    if (key == null) {
      throw new IllegalArgumentException("the key cannot be written");
    }
    PrivateFile.replace(identity(), PemFiles.block("PRIVATE KEY", key) + pem(identity.chain()));
  }

  /** Keeps the roots of a trust bundle. */
  public void saveRoots(TrustBundle bundle) throws IOException {
    saveRoots(CredentialCheck.certificates("root_certificates", bundle.getRootCertificatesList()));
  }

  private void saveRoots(List<X509Certificate> roots) throws IOException {
    PrivateFile.replace(roots(), pem(roots));
  }

  private Path identity() {
    return directory.resolve("identity.pem");
  }

  private Path roots() {
    return directory.resolve("roots.pem");
  }

  private static String pem(List<X509Certificate> certificates) {
    StringBuilder pem = new StringBuilder();
    for (X509Certificate certificate : certificates) {
      try {
        pem.append(PemFiles.block("CERTIFICATE", certificate.getEncoded()));
      } catch (CertificateEncodingException e) {
        throw new IllegalStateException("a certificate that was read can be written", e);
      }
    }
    return pem.toString();
  }
}
