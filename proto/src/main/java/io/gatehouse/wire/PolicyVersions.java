package io.gatehouse.wire;

import com.google.protobuf.ByteString;
import io.gatehouse.proto.v1.PolicyResource;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.SortedMap;

/**
 * Versions of policy resources and the hash over a set of them, as sync.proto defines them. Equal
 * content has an equal version, whoever computes it and whenever: no counter is kept anywhere.
 */
public final class PolicyVersions {
  private PolicyVersions() {}

  /** The message with its version set. */
  public static PolicyResource withVersion(PolicyResource resource) {
    return resource.toBuilder().setVersion(of(resource)).build();
  }

  /**
   * The version that a message must have, whatever it says: the first 8 bytes of the SHA-256 of the
   * rest.
   */
  public static long of(PolicyResource resource) {
    byte[] body = resource.toBuilder().clearVersion().build().toByteArray();
    return ByteBuffer.wrap(sha256().digest(body)).getLong();
  }

  /**
   * The inventory hash.
   *
   * @param versions version by resource name, in natural order
   */
  public static ByteString inventoryHash(SortedMap<String, Long> versions) {
    MessageDigest digest = sha256();
    ByteBuffer version = ByteBuffer.allocate(Long.BYTES);
    for (Map.Entry<String, Long> held : versions.entrySet()) {
      digest.update(held.getKey().getBytes(StandardCharsets.UTF_8));
      digest.update((byte) 0);
      digest.update(version.putLong(0, held.getValue()).array());
    }
    return ByteString.copyFrom(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
