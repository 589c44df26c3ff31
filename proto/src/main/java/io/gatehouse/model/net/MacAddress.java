package io.gatehouse.model.net;

/**
 * A 48-bit MAC address (IEEE 802), kept in the low bits of a {@code long}; the first byte on the
 * wire is the highest.
 */
public record MacAddress(long bits) implements Comparable<MacAddress> {
  public static final MacAddress BROADCAST = new MacAddress(0xffff_ffff_ffffL);
  public static final MacAddress ZERO = new MacAddress(0);

  private static final long MAX = 0xffff_ffff_ffffL;
  private static final long GROUP_BIT = 0x0100_0000_0000L;
  private static final int TEXT_LENGTH = 17;

  public MacAddress {
    if (bits < 0 || bits > MAX) {
      throw new InvalidValueException("mac", bits, "is outside 0..2^48-1");
    }
  }

  /** Reads six two-digit hexadecimal groups separated by colons. */
  public static MacAddress parse(String text) {
    if (text.length() != TEXT_LENGTH) {
      throw malformed(text);
    }
    long bits = 0;
    for (int i = 0; i < TEXT_LENGTH; i++) {
      char c = text.charAt(i);
      if (i % 3 == 2) {
        if (c != ':') {
          throw malformed(text);
        }
        continue;
      }
      int digit = Character.digit(c, 16);
      if (digit < 0 || c > 'f') {
        throw malformed(text);
      }
      bits = bits << 4 | digit;
    }
    return new MacAddress(bits);
  }

  /** True for broadcast and multicast addresses: the group bit of the first byte is set. */
  public boolean isGroup() {
    return (bits & GROUP_BIT) != 0;
  }

  /** The link-local IPv6 address that a host derives from this MAC (RFC 4291 appendix A). */
  public IpAddress linkLocal() {
    long upper = (bits >> 24) ^ 0x02_0000;
    long interfaceId = upper << 40 | 0xff_feL << 24 | (bits & 0xff_ffff);
    return IpAddress.ofV6(0xfe80_0000_0000_0000L, interfaceId);
  }

  public byte[] toBytes() {
    byte[] bytes = new byte[6];
    for (int i = 0; i < 6; i++) {
      bytes[i] = (byte) (bits >> (40 - 8 * i));
    }
    return bytes;
  }

  @Override
  public int compareTo(MacAddress other) {
    return Long.compare(bits, other.bits);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(TEXT_LENGTH);
    for (byte b : toBytes()) {
      if (!text.isEmpty()) {
        text.append(':');
      }
      text.append(Character.forDigit(b >> 4 & 0xf, 16)).append(Character.forDigit(b & 0xf, 16));
    }
    return text.toString();
  }

  private static InvalidValueException malformed(String text) {
    return new InvalidValueException(
        "mac", text, "is not six hexadecimal bytes with colons, such as 02:00:00:00:00:0a");
  }
}
