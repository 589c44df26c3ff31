package io.gatehouse.agent.subscribe;

import com.google.protobuf.InvalidProtocolBufferException;
import io.gatehouse.proto.storage.v1.StoredPolicy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * The last good policy on disk. A file is replaced as a whole (written beside, synced, renamed), so
 * there is always an old or a new one, never a half; a checksum tells what a disk did to it.
 *
 * <p>Layout: 8 bytes "GHPOLICY", 32 bytes SHA-256 of the rest, then a {@link StoredPolicy}.
 */
public final class PolicyStore {
  private static final byte[] MAGIC = "GHPOLICY".getBytes(StandardCharsets.US_ASCII);
  private static final int HASH_BYTES = 32;
  private static final long MAX_BYTES = 512L << 20;
  private static final String FILE = "policy.bin";

  private final Path file;

  public PolicyStore(Path directory) {
    this.file = directory.resolve(FILE);
  }

  /**
   * Reads the policy.
   *
   * @return empty if none was ever stored
   * @throws CorruptPolicyException if the file is not what was written; it has been set aside
   * @throws IOException if it cannot be read
   */
  Optional<StoredPolicy> load() throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    if (Files.size(file) > MAX_BYTES) {
      throw setAside("is longer than " + MAX_BYTES + " bytes");
    }
    byte[] content = Files.readAllBytes(file);
    int start = MAGIC.length + HASH_BYTES;
    if (content.length < start
        || !Arrays.equals(content, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw setAside("does not start as a policy file does");
    }
    byte[] body = Arrays.copyOfRange(content, start, content.length);
    byte[] stored = Arrays.copyOfRange(content, MAGIC.length, start);
    if (!MessageDigest.isEqual(stored, hash(body))) {
      throw setAside("does not match its checksum");
    }
    try {
      return Optional.of(StoredPolicy.parseFrom(body));
    } catch (InvalidProtocolBufferException e) {
      throw setAside("cannot be read: " + e.getMessage());
    }
  }

  /** Replaces the stored policy; on return it is on the disk. */
  void save(StoredPolicy policy) throws IOException {
    byte[] body = policy.toByteArray();
    Path beside = file.resolveSibling(FILE + ".new");
    Files.deleteIfExists(beside);
    try (FileChannel channel =
        FileChannel.open(
            beside,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      writeAll(channel, ByteBuffer.wrap(MAGIC));
      writeAll(channel, ByteBuffer.wrap(hash(body)));
      writeAll(channel, ByteBuffer.wrap(body));
      channel.force(true);
    }
    Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel directory = FileChannel.open(file.toAbsolutePath().getParent())) {
      // The rename itself must survive a power cut.
      directory.force(true);
    }
  }

  /** Keeps a policy that must not be used, where it is not found again. */
  CorruptPolicyException setAside(String reason) throws IOException {
    Path aside = file.resolveSibling(FILE + ".corrupt");
    Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
    return new CorruptPolicyException(file + " " + reason + "; it is kept as " + aside);
  }

  private static void writeAll(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  private static byte[] hash(byte[] body) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(body);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** The stored policy is not what was written. */
  static final class CorruptPolicyException extends IOException {
    private static final long serialVersionUID = 1L;

    CorruptPolicyException(String message) {
      super(message);
    }
  }
}
