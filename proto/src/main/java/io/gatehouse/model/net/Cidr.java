package io.gatehouse.model.net;

import java.math.BigInteger;

/** An address prefix (RFC 4632, RFC 4291 §2.3); the bits behind the prefix are zero. */
public record Cidr(IpAddress address, int prefixLength) {
  public Cidr {
    if (prefixLength < 0 || prefixLength > address.family().bits()) {
      throw new InvalidValueException(
          "prefix_length", prefixLength, "is outside 0.." + address.family().bits());
    }
    if (!masked(address, prefixLength).equals(address)) {
      throw new InvalidValueException(
          "cidr",
          address + "/" + prefixLength,
          "has bits behind the prefix; the prefix is "
              + masked(address, prefixLength)
              + "/"
              + prefixLength);
    }
  }

  /** Reads {@code address/length}; the length is decimal without sign or leading zero. */
  public static Cidr parse(String text) {
    int slash = text.indexOf('/');
    String length = text.substring(slash + 1);
    boolean number = !length.isEmpty() && length.chars().allMatch(c -> c >= '0' && c <= '9');
    boolean plain =
        number && length.length() <= 3 && (length.length() == 1 || !length.startsWith("0"));
    if (slash < 0 || !plain) {
      throw new InvalidValueException("cidr", text, "is not address/length, such as 10.0.0.0/24");
    }
    return new Cidr(IpAddress.parse(text.substring(0, slash)), Integer.parseInt(length));
  }

  public boolean contains(IpAddress candidate) {
    return candidate.family() == address.family()
        && masked(candidate, prefixLength).equals(address);
  }

  public boolean overlaps(Cidr other) {
    return contains(other.address) || other.contains(address);
  }

  /** How many addresses lie in the prefix. */
  public BigInteger size() {
    return BigInteger.ONE.shiftLeft(address.family().bits() - prefixLength);
  }

  /**
   * The address at an offset from the prefix's first one; the offset is checked against the size.
   */
  public IpAddress at(long offset) {
    if (offset < 0 || BigInteger.valueOf(offset).compareTo(size()) >= 0) {
      throw new InvalidValueException("offset", offset, "is outside " + this);
    }
    return new IpAddress(address.family(), address.high(), address.low() + offset);
  }

  /** The highest address: in IPv4 the directed broadcast address. */
  public IpAddress last() {
    int hostBits = address.family().bits() - prefixLength;
    long low = address.low() | lowBits(Math.min(hostBits, 64));
    long high = address.high() | lowBits(Math.max(hostBits - 64, 0));
    return new IpAddress(address.family(), high, low);
  }

  @Override
  public String toString() {
    return address + "/" + prefixLength;
  }

  private static IpAddress masked(IpAddress address, int prefixLength) {
    int hostBits = address.family().bits() - prefixLength;
    long low = address.low() & ~lowBits(Math.min(hostBits, 64));
    long high = address.high() & ~lowBits(Math.max(hostBits - 64, 0));
    return new IpAddress(address.family(), high, low);
  }

  private static long lowBits(int count) {
    return count >= 64 ? -1L : (1L << count) - 1;
  }
}
