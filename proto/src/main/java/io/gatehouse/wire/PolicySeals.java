package io.gatehouse.wire;

import com.google.protobuf.ByteString;
import io.gatehouse.model.name.DpuName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** What a policy seal is over, and how it names its key, as sync.proto defines it. Pure. */
public final class PolicySeals {
  private static final byte[] TITLE =
      "gatehouse policy seal v1".getBytes(StandardCharsets.US_ASCII);

  private PolicySeals() {}

  /**
   * The bytes that are signed: they hold for one DPU, one revision, one content.
   *
   * @param inventoryHash over all that the DPU must hold
   */
  public static byte[] signedBytes(DpuName dpu, long revision, ByteString inventoryHash) {
    byte[] name = dpu.toString().getBytes(StandardCharsets.UTF_8);
    ByteBuffer text =
        ByteBuffer.allocate(TITLE.length + name.length + 2 + Long.BYTES + inventoryHash.size());
    text.put(TITLE).put((byte) 0).put(name).put((byte) 0).putLong(revision);
    inventoryHash.copyTo(text);
    return text.array();
  }

  /**
   * Names a key.
   *
   * @param subjectPublicKeyInfo DER (RFC 8410)
   */
  public static long keyId(byte[] subjectPublicKeyInfo) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(subjectPublicKeyInfo);
      return ByteBuffer.wrap(hash).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
