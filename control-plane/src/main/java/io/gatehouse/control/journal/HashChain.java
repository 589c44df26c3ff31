package io.gatehouse.control.journal;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The chain over the journal's rows: hash = SHA-256(hash before || seq, 8 bytes || payload). */
final class HashChain {
  private static final int HASH_BYTES = 32;

  private HashChain() {}

  /** What the first row is chained to: 32 zero bytes. */
  static byte[] start() {
    return new byte[HASH_BYTES];
  }

  static byte[] next(byte[] before, long seq, byte[] payload) {
    MessageDigest digest = sha256();
    digest.update(before);
    digest.update(ByteBuffer.allocate(Long.BYTES).putLong(0, seq));
    return digest.digest(payload);
  }

  static byte[] checksum(byte[] payload) {
    return sha256().digest(payload);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
