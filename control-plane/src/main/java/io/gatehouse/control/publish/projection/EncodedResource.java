package io.gatehouse.control.publish.projection;

import io.gatehouse.proto.v1.PolicyRemoval;
import io.gatehouse.proto.v1.PolicyResource;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * A policy resource as it goes over the wire, with its share of the inventory hash. Made once for a
 * record of the model and shared by all DPUs; immutable.
 */
public final class EncodedResource {
  /** Bytes that a field of a message adds: its tag and its length. */
  private static final int FRAMING_BYTES = 4;

  private final String key;
  private final PolicyResource message;
  private final byte[] hashed;

  /** Takes a message that is complete with version. */
  public EncodedResource(PolicyResource message) {
    this.key = message.getName();
    this.message = message;
    byte[] name = key.getBytes(StandardCharsets.UTF_8);
    this.hashed =
        ByteBuffer.allocate(name.length + 1 + Long.BYTES)
            .put(name)
            .put((byte) 0)
            .putLong(message.getVersion())
            .array();
  }

  public String key() {
    return key;
  }

  public long version() {
    return message.getVersion();
  }

  public PolicyResource message() {
    return message;
  }

  public PolicyRemoval removal() {
    return removal(key, version());
  }

  static PolicyRemoval removal(String key, long version) {
    return PolicyRemoval.newBuilder().setName(key).setVersion(version).build();
  }

  /** Size inside a Delta. */
  public int sizeBytes() {
    return message.getSerializedSize() + FRAMING_BYTES;
  }

  /** Adds this resource to an inventory hash, as sync.proto defines it. */
  void addTo(MessageDigest digest) {
    digest.update(hashed);
  }

  @Override
  public String toString() {
    return key + "@" + Long.toHexString(version());
  }
}
