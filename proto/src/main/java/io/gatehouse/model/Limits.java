package io.gatehouse.model;

import io.gatehouse.model.net.InvalidValueException;

/** Checks that the constructors of resources share. */
final class Limits {
  private static final int MAX_DISPLAY_NAME_LENGTH = 200;

  private Limits() {}

  static void range(String field, long value, long min, long max) {
    if (value < min || value > max) {
      throw new InvalidValueException(field, value, "is outside " + min + ".." + max);
    }
  }

  static void displayName(String field, String text) {
    text(field, text, 0, MAX_DISPLAY_NAME_LENGTH);
  }

  static void text(String field, String text, int minLength, int maxLength) {
    if (text.length() < minLength || text.length() > maxLength) {
      throw new InvalidValueException(
          field, text, "is not " + minLength + " to " + maxLength + " characters long");
    }
    if (text.chars().anyMatch(Character::isISOControl)) {
      throw new InvalidValueException(field, text, "has control characters");
    }
  }
}
