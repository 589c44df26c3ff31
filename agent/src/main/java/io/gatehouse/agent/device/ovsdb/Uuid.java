package io.gatehouse.agent.device.ovsdb;

import io.gatehouse.model.net.InvalidValueException;
import java.util.HexFormat;

/** The identity of a row, 128 bits (RFC 7047 §3.1, {@code <uuid>}). */
public record Uuid(long high, long low) implements Value.Atom, Comparable<Uuid> {
  public static final Uuid ZERO = new Uuid(0, 0);

  private static final int TEXT_LENGTH = 36;
  private static final int LONG_DIGITS = 16;

  /** Reads the 36 characters of RFC 4122, in either case. */
  public static Uuid parse(String text) {
    StringBuilder digits = new StringBuilder(2 * LONG_DIGITS);
    for (int i = 0; text.length() == TEXT_LENGTH && i < TEXT_LENGTH; i++) {
      char c = text.charAt(i);
      if (isDash(i) && c == '-') {
        continue;
      }
      if (isDash(i) || !HexFormat.isHexDigit(c)) {
        break;
      }
      digits.append(c);
    }
    if (digits.length() != 2 * LONG_DIGITS) {
      throw new InvalidValueException("uuid", text, "is not of the form 8-4-4-4-12 hex digits");
    }
    return new Uuid(
        HexFormat.fromHexDigitsToLong(digits, 0, LONG_DIGITS),
        HexFormat.fromHexDigitsToLong(digits, LONG_DIGITS, 2 * LONG_DIGITS));
  }

  private static boolean isDash(int index) {
    return index == 8 || index == 13 || index == 18 || index == 23;
  }

  @Override
  public int compareTo(Uuid other) {
    int highest = Long.compareUnsigned(high, other.high);
    return highest != 0 ? highest : Long.compareUnsigned(low, other.low);
  }

  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    StringBuilder text = new StringBuilder(TEXT_LENGTH);
    text.append(hex.toHexDigits(high)).append(hex.toHexDigits(low));
    return text.insert(20, '-').insert(16, '-').insert(12, '-').insert(8, '-').toString();
  }
}
