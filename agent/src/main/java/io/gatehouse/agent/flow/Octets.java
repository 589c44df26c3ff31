package io.gatehouse.agent.flow;

import java.util.Arrays;
import java.util.HexFormat;

/** An immutable string of bytes with value equality. */
public final class Octets {
  public static final Octets EMPTY = new Octets(new byte[0]);

  private final byte[] bytes;

  private Octets(byte[] bytes) {
    this.bytes = bytes;
  }

  public static Octets of(byte... bytes) {
    return new Octets(bytes.clone());
  }

  public int size() {
    return bytes.length;
  }

  public boolean isEmpty() {
    return bytes.length == 0;
  }

  public byte[] toBytes() {
    return bytes.clone();
  }

  /** The same bytes with zeros behind them, up to a length. */
  public Octets padded(int length) {
    return length <= bytes.length ? this : new Octets(Arrays.copyOf(bytes, length));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Octets that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Two hexadecimal digits a byte, separated by dots, as {@code ovs-ofctl} writes them. */
  @Override
  public String toString() {
    return HexFormat.ofDelimiter(".").formatHex(bytes);
  }
}
