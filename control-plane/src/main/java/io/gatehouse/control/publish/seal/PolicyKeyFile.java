package io.gatehouse.control.publish.seal;

import io.gatehouse.model.net.InvalidValueException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.edec.EdECObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;
import org.bouncycastle.crypto.util.PrivateKeyFactory;
import org.bouncycastle.openssl.PEMParser;

/** An Ed25519 key in a PEM file (PKCS#8, RFC 8410) that only its owner may read. */
final class PolicyKeyFile {
  private static final int MAX_BYTES = 16 << 10;
  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rw-------");

  private PolicyKeyFile() {}

  /**
   * Reads a key.
   *
   * @throws InvalidValueException if the file holds no such key or others may read it
   */
  static Ed25519PrivateKeyParameters read(Path file) throws IOException {
    Set<PosixFilePermission> granted = Files.getPosixFilePermissions(file);
    if (!OWNER.containsAll(granted)) {
      throw refused(
          file, "is open to others (" + PosixFilePermissions.toString(granted) + "); chmod 600 it");
    }
    if (Files.size(file) > MAX_BYTES) {
      throw refused(file, "is larger than " + MAX_BYTES + " bytes");
    }
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    try (PEMParser parser = new PEMParser(new StringReader(text))) {
      if (parser.readObject() instanceof PrivateKeyInfo found
          && PrivateKeyFactory.createKey(found) instanceof Ed25519PrivateKeyParameters key) {
        return key;
      }
    } catch (IOException | RuntimeException e) {
      // The parser's complaint may repeat what the file holds, so it is left out.
      throw refused(file, "cannot be read as a PKCS#8 key");
    }
    throw refused(file, "holds no Ed25519 key");
  }

  /** Makes a key, unless another process has made one meanwhile; then that one counts. */
  static Ed25519PrivateKeyParameters make(Path file) throws IOException {
    Ed25519PrivateKeyParameters key = new Ed25519PrivateKeyParameters(new SecureRandom());
    Path beside = Files.createTempFile(directory(file), file.getFileName().toString(), ".new");
    try {
      write(beside, key);
      // A link fails where a rename would replace.
      Files.createLink(file, beside);
    } catch (FileAlreadyExistsException e) {
      return read(file);
    } finally {
      Files.deleteIfExists(beside);
    }
    try (FileChannel directory = FileChannel.open(directory(file))) {
      directory.force(true);
    }
    return key;
  }

  /** The temporary file is made with mode 0600 by the JDK, before there is anything in it. */
  private static void write(Path file, Ed25519PrivateKeyParameters key) throws IOException {
    PrivateKeyInfo encoded =
        new PrivateKeyInfo(
            new AlgorithmIdentifier(EdECObjectIdentifiers.id_Ed25519),
            new DEROctetString(key.getEncoded()));
    String pem =
        "-----BEGIN PRIVATE KEY-----\n"
            + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded.getEncoded())
            + "\n-----END PRIVATE KEY-----\n";
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = StandardCharsets.US_ASCII.encode(pem);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  private static Path directory(Path file) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory == null) {
      throw new IOException(file + " is no file");
    }
    return directory;
  }

  private static InvalidValueException refused(Path file, String reason) {
    return new InvalidValueException("policy_key_directory", file, reason);
  }
}
