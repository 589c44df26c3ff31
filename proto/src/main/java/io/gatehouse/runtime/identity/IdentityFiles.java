package io.gatehouse.runtime.identity;

import com.google.protobuf.ByteString;
import io.gatehouse.proto.v1.TrustBundle;
import io.gatehouse.runtime.PrivateFile;
import io.gatehouse.runtime.tls.PemFiles;
import io.gatehouse.runtime.tls.TlsFileException;
import io.gatehouse.runtime.tls.TlsPaths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/**
 * An identity in a directory: {@code identity.pem} has the key and its chain in one file, so that a
 * crash leaves the old pair or the new one and never a mixture; {@code roots.pem} has the roots and
 * the revocation lists that came with them. Each is replaced as a whole and is on disk when the
 * method returns.
 */
public final class IdentityFiles {
  private static final int MAX_LISTS_CHARACTERS = 256 * 1024;

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

  /**
   * The key to enrol with. It stays until an identity is saved: whoever asks again, because the
   * answer was lost or the process ended, must do so with the same key.
   */
  public FreshKey enrollingKey() throws IOException {
    try {
      Optional<FreshKey> kept =
          Files.exists(enrolling()) ? FreshKey.read(enrolling()) : Optional.empty();
      if (kept.isPresent()) {
        return kept.get();
      }
    } catch (TlsFileException e) {
      // It has no certificate, so another one is as good.
    }
    FreshKey key = FreshKey.make();
    PrivateFile.replace(enrolling(), key.pem());
    return key;
  }

  /** Keeps what was just given, with whom not to trust. */
  public void save(NewIdentity fresh) throws IOException {
    save(fresh.held(), lists(fresh.trustBundle()));
  }

  /** Keeps an identity that no lists came with. */
  public void save(HeldIdentity identity) throws IOException {
    save(identity, "");
  }

  /** The roots first, so that there is never a certificate without them. */
  private void save(HeldIdentity identity, String lists) throws IOException {
    PrivateFile.replace(roots(), pem(identity.roots()) + lists);
    byte[] key = identity.key().getEncoded();
    if (key == null) {
      throw new IllegalArgumentException("the key cannot be written");
    }
    PrivateFile.replace(identity(), PemFiles.block("PRIVATE KEY", key) + pem(identity.chain()));
    Files.deleteIfExists(enrolling());
  }

  /** Keeps whom to trust by a bundle, and whom not. */
  public void saveTrust(TrustBundle bundle) throws IOException {
    List<X509Certificate> roots =
        CredentialCheck.certificates("root_certificates", bundle.getRootCertificatesList());
    PrivateFile.replace(roots(), pem(roots) + lists(bundle));
  }

  /**
   * As many of the lists as there is room for: a file that is too large to be read would end all
   * trust. The root's is the first; it names the authorities, and so all that servers can show.
   */
  private static String lists(TrustBundle bundle) {
    StringBuilder kept = new StringBuilder();
    for (ByteString list : bundle.getRevocationListsList()) {
      String block = PemFiles.block("X509 CRL", CredentialCheck.list(list));
      if (kept.length() + block.length() <= MAX_LISTS_CHARACTERS) {
        kept.append(block);
      }
    }
    return kept.toString();
  }

  private Path enrolling() {
    return directory.resolve("enrolling.pem");
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
