package io.gatehouse.agent.flow;

import io.gatehouse.model.net.InvalidValueException;

/** An unsigned number of up to 128 bits: the value or the mask of a field. */
public record Bits(long high, long low) implements Comparable<Bits> {
  public static final Bits ZERO = new Bits(0, 0);

  private static final int MAX_BYTES = 16;

  public static Bits of(long low) {
    return new Bits(0, low);
  }

  /** Reads at most 16 bytes in network order. */
  public static Bits ofBytes(byte[] bytes) {
    if (bytes.length > MAX_BYTES) {
      throw new InvalidValueException("bits", bytes.length + " bytes", "are more than 16");
    }
    long high = 0;
    long low = 0;
    for (byte b : bytes) {
      high = high << 8 | low >>> 56;
      low = low << 8 | (b & 0xff);
    }
    return new Bits(high, low);
  }

  /** The lowest {@code count} bits set. */
  public static Bits ones(int count) {
    if (count < 0 || count > 128) {
      throw new InvalidValueException("bits", count, "is outside 0..128");
    }
    return new Bits(lowOnes(count - 64), lowOnes(count));
  }

  public Bits and(Bits other) {
    return new Bits(high & other.high, low & other.low);
  }

  public Bits or(Bits other) {
    return new Bits(high | other.high, low | other.low);
  }

  public Bits not() {
    return new Bits(~high, ~low);
  }

  /** Moves the bits up by 0..127; what leaves at the top is lost. */
  public Bits shiftLeft(int count) {
    if (count == 0) {
      return this;
    }
    if (count >= 64) {
      return new Bits(low << (count - 64), 0);
    }
    return new Bits(high << count | low >>> (64 - count), low << count);
  }

  /** Moves the bits down by 0..127. */
  public Bits shiftRight(int count) {
    if (count == 0) {
      return this;
    }
    if (count >= 64) {
      return new Bits(0, high >>> (count - 64));
    }
    return new Bits(high >>> count, low >>> count | high << (64 - count));
  }

  public boolean isZero() {
    return (high | low) == 0;
  }

  /** True if no bit lies at or above {@code count}. */
  public boolean fits(int count) {
    return and(ones(count)).equals(this);
  }

  /** The lowest {@code count} bytes in network order. */
  public byte[] toBytes(int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      int fromEnd = count - 1 - i;
      bytes[i] = (byte) ((fromEnd < 8 ? low : high) >>> (8 * (fromEnd % 8)));
    }
    return bytes;
  }

  @Override
  public int compareTo(Bits other) {
    int byHigh = Long.compareUnsigned(high, other.high);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
  }

  /** Hexadecimal with {@code 0x} and without leading zeros. */
  @Override
  public String toString() {
    if (high == 0) {
      return "0x" + Long.toHexString(low);
    }
    String tail = Long.toHexString(low);
    return "0x" + Long.toHexString(high) + "0".repeat(16 - tail.length()) + tail;
  }

  private static long lowOnes(int count) {
    if (count <= 0) {
      return 0;
    }
    return count >= 64 ? -1L : (1L << count) - 1;
  }
}
