package io.gatehouse.model.net;

import java.math.BigInteger;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An IPv4 or IPv6 address. IPv4 is kept in the low 32 bits of {@code low} with {@code high} 0. Text
 * is read without any name resolution; IPv6 is written as RFC 5952 says.
 */
public record IpAddress(Family family, long high, long low) implements Comparable<IpAddress> {
  public static final IpAddress V4_UNSPECIFIED = ofV4(0);
  public static final IpAddress V6_UNSPECIFIED = ofV6(0, 0);

  /** The address families, with the number of bits of an address. */
  public enum Family {
    V4(32),
    V6(128);

    private final int bits;

    Family(int bits) {
      this.bits = bits;
    }

    public int bits() {
      return bits;
    }
  }

  private static final long V4_MAX = 0xffff_ffffL;
  private static final int V6_GROUPS = 8;

  public IpAddress {
    if (family == Family.V4 && (high != 0 || low < 0 || low > V4_MAX)) {
      throw new InvalidValueException("ip", low, "is outside the 32 bits of an IPv4 address");
    }
  }

  /** The address of zeros, {@code 0.0.0.0} or {@code ::}. */
  public static IpAddress unspecified(Family family) {
    return family == Family.V4 ? V4_UNSPECIFIED : V6_UNSPECIFIED;
  }

  public static IpAddress ofV4(long bits) {
    return new IpAddress(Family.V4, 0, bits);
  }

  public static IpAddress ofV6(long high, long low) {
    return new IpAddress(Family.V6, high, low);
  }

  /** Reads 4 bytes as IPv4 and 16 as IPv6, in network order. */
  public static IpAddress ofBytes(byte[] bytes) {
    if (bytes.length == 4) {
      return ofV4(readLong(bytes, 0, 4));
    }
    if (bytes.length == 16) {
      return ofV6(readLong(bytes, 0, 8), readLong(bytes, 8, 8));
    }
    throw new InvalidValueException("ip", bytes.length + " bytes", "are neither 4 nor 16");
  }

  /** Reads dotted decimal IPv4, or IPv6 in any form of RFC 4291 §2.2 without a zone. */
  public static IpAddress parse(String text) {
    IpAddress address = text.indexOf(':') >= 0 ? parseV6(text) : parseV4(text);
    if (address == null) {
      throw new InvalidValueException("ip", text, "is not an IPv4 or IPv6 address");
    }
    return address;
  }

  public boolean isV4() {
    return family == Family.V4;
  }

  public boolean isV6() {
    return family == Family.V6;
  }

  public boolean isUnspecified() {
    return high == 0 && low == 0;
  }

  /** 224.0.0.0/4 or ff00::/8. */
  public boolean isMulticast() {
    return isV4() ? low >>> 28 == 0xe : high >>> 56 == 0xff;
  }

  /** 127.0.0.0/8 or ::1. */
  public boolean isLoopback() {
    return isV4() ? low >>> 24 == 127 : high == 0 && low == 1;
  }

  /** 169.254.0.0/16 or fe80::/10. */
  public boolean isLinkLocal() {
    return isV4() ? low >>> 16 == 0xa9fe : high >>> 54 == 0x3fa;
  }

  /** The solicited-node multicast address of an IPv6 address (RFC 4291 §2.7.1). */
  public IpAddress solicitedNode() {
    return ofV6(0xff02_0000_0000_0000L, 0x1_ff00_0000L | (low & 0xff_ffff));
  }

  public byte[] toBytes() {
    byte[] bytes = new byte[family.bits / 8];
    for (int i = 0; i < bytes.length; i++) {
      int fromEnd = bytes.length - 1 - i;
      bytes[i] = (byte) ((fromEnd < 8 ? low : high) >>> (8 * (fromEnd % 8)));
    }
    return bytes;
  }

  public BigInteger toBigInteger() {
    return new BigInteger(1, toBytes());
  }

  @Override
  public int compareTo(IpAddress other) {
    int byFamily = family.compareTo(other.family);
    if (byFamily != 0) {
      return byFamily;
    }
    int byHigh = Long.compareUnsigned(high, other.high);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
  }

  @Override
  public String toString() {
    return isV4() ? textV4() : textV6();
  }

  private String textV4() {
    return (low >>> 24) + "." + (low >>> 16 & 0xff) + "." + (low >>> 8 & 0xff) + "." + (low & 0xff);
  }

  private String textV6() {
    int[] groups = new int[V6_GROUPS];
    for (int i = 0; i < V6_GROUPS; i++) {
      groups[i] = (int) ((i < 4 ? high : low) >>> (48 - 16 * (i % 4))) & 0xffff;
    }
    int zerosAt = longestZeros(groups);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < V6_GROUPS; ) {
      if (i == zerosAt) {
        text.append("::");
        while (i < V6_GROUPS && groups[i] == 0) {
          i++;
        }
        continue;
      }
      if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
        text.append(':');
      }
      text.append(Integer.toHexString(groups[i++]));
    }
    return text.toString();
  }

  /** Start of the first longest run of two or more zero groups, or -1. */
  private static int longestZeros(int[] groups) {
    int best = -1;
    int bestLength = 1;
    int length = 0;
    for (int i = 0; i < groups.length; i++) {
      length = groups[i] == 0 ? length + 1 : 0;
      if (length > bestLength) {
        bestLength = length;
        best = i - length + 1;
      }
    }
    return best;
  }

  private static @Nullable IpAddress parseV4(String text) {
    String[] parts = text.split("\\.", -1);
    if (parts.length != 4) {
      return null;
    }
    long bits = 0;
    for (String part : parts) {
      boolean digits = !part.isEmpty() && part.chars().allMatch(c -> c >= '0' && c <= '9');
      boolean leadingZero = part.length() > 1 && part.charAt(0) == '0';
      if (!digits || leadingZero || part.length() > 3 || Integer.parseInt(part) > 255) {
        return null;
      }
      bits = bits << 8 | Integer.parseInt(part);
    }
    return ofV4(bits);
  }

  private static @Nullable IpAddress parseV6(String given) {
    String text = given.toLowerCase(Locale.ROOT);
    int dot = text.indexOf('.');
    if (dot >= 0) {
      int colon = text.lastIndexOf(':');
      IpAddress tail = parseV4(text.substring(colon + 1));
      if (tail == null) {
        return null;
      }
      text =
          text.substring(0, colon + 1)
              + Long.toHexString(tail.low >>> 16)
              + ":"
              + Long.toHexString(tail.low & 0xffff);
    }
    int gap = text.indexOf("::");
    if (gap < 0) {
      return fromGroups(text.split(":", -1), new String[0], V6_GROUPS, V6_GROUPS);
    }
    String head = text.substring(0, gap);
    String tail = text.substring(gap + 2);
    return fromGroups(
        head.isEmpty() ? new String[0] : head.split(":", -1),
        tail.isEmpty() ? new String[0] : tail.split(":", -1),
        0,
        V6_GROUPS - 1);
  }

  private static @Nullable IpAddress fromGroups(String[] head, String[] tail, int min, int max) {
    int count = head.length + tail.length;
    if (count < min || count > max) {
      return null;
    }
    long[] halves = new long[2];
    for (int i = 0; i < count; i++) {
      String group = i < head.length ? head[i] : tail[i - head.length];
      int at = i < head.length ? i : V6_GROUPS - count + i;
      boolean hex = group.chars().allMatch(c -> c < 128 && Character.digit(c, 16) >= 0);
      if (group.isEmpty() || group.length() > 4 || !hex) {
        return null;
      }
      halves[at / 4] |= Long.parseLong(group, 16) << (48 - 16 * (at % 4));
    }
    return ofV6(halves[0], halves[1]);
  }

  private static long readLong(byte[] bytes, int from, int length) {
    long value = 0;
    for (int i = from; i < from + length; i++) {
      value = value << 8 | (bytes[i] & 0xff);
    }
    return value;
  }
}
