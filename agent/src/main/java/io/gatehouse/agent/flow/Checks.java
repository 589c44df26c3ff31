package io.gatehouse.agent.flow;

import io.gatehouse.model.net.InvalidValueException;

/** The range checks of this package's values. */
final class Checks {
  private Checks() {}

  static void range(String field, long value, long min, long max) {
    if (value < min || value > max) {
      throw new InvalidValueException(field, value, "is outside " + min + ".." + max);
    }
  }

  /** A run of bits lies inside its field. */
  static void subfield(Field field, int offset, int bits) {
    if (offset < 0 || bits < 1 || offset + bits > field.bits()) {
      throw new InvalidValueException(
          field.text(),
          "[" + offset + ".." + (offset + bits - 1) + "]",
          "is outside its " + field.bits() + " bits");
    }
  }

  static void subfieldWritable(Field field, int offset, int bits) {
    subfield(field, offset, bits);
    if (!field.isWritable()) {
      throw new InvalidValueException("field", field.text(), "cannot be written");
    }
  }
}
