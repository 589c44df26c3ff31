package io.gatehouse.control.image.identity;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** A certificate as bytes, immutable; equal if the bytes are. */
public final class Der {
  private final byte[] bytes;

  private Der(byte[] bytes) {
    this.bytes = bytes;
  }

  public static Der of(byte[] bytes) {
    return new Der(bytes.clone());
  }

  public byte[] toBytes() {
    return bytes.clone();
  }

  /** SHA-256, hexadecimal. */
  public String fingerprint() {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Der der && Arrays.equals(bytes, der.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "Der[" + bytes.length + " bytes, " + Integer.toHexString(hashCode()) + "]";
  }
}
