package io.gatehouse.model.net;

/** A VXLAN network identifier (RFC 7348 §5): 24 bits; 0 is not given to tenants. */
public record Vni(int value) implements Comparable<Vni> {
  public static final int MIN = 1;
  public static final int MAX = 0xff_ffff;

  public Vni {
    if (value < MIN || value > MAX) {
      throw new InvalidValueException("vni", value, "is outside " + MIN + ".." + MAX);
    }
  }

  @Override
  public int compareTo(Vni other) {
    return Integer.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Integer.toString(value);
  }
}
