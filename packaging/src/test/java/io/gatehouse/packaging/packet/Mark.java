package io.gatehouse.packaging.packet;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sixteen bytes that no other frame carries, to find one again whatever has happened to its
 * headers.
 *
 * @param name for people
 * @param number different for each mark
 */
public record Mark(String name, long number) {
  public static final int BYTES = 16;
  private static final long MAGIC = 0x6d61726b_67687421L;
  private static final AtomicLong NUMBERS = new AtomicLong(System.nanoTime());

  public static Mark of(String name) {
    return new Mark(name, NUMBERS.incrementAndGet());
  }

  public byte[] bytes() {
    return ByteBuffer.allocate(BYTES).putLong(MAGIC).putLong(number).array();
  }

  /** Whether a frame carries it. */
  public boolean isIn(byte[] frame) {
    ByteBuffer bytes = ByteBuffer.wrap(frame);
    for (int at = 0; at + BYTES <= frame.length; at++) {
      if (bytes.getLong(at) == MAGIC && bytes.getLong(at + Long.BYTES) == number) {
        return true;
      }
    }
    return false;
  }
}
