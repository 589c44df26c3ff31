package io.gatehouse.model.net;

import java.util.HashSet;
import java.util.List;

/** Checks that the constructors of values share; each names the field that it refuses. */
public final class Limits {
  private static final int MAX_DISPLAY_NAME_LENGTH = 200;

  private Limits() {}

  /** Refuses a number outside bounds that are both inside. */
  public static void range(String field, long value, long min, long max) {
    if (value < min || value > max) {
      throw new InvalidValueException(field, value, "is outside " + min + ".." + max);
    }
  }

  /** Refuses what is no text for people. */
  public static void displayName(String field, String text) {
    text(field, text, 0, MAX_DISPLAY_NAME_LENGTH);
  }

  /** Refuses a text that is too short, too long, or has control characters. */
  public static void text(String field, String text, int minLength, int maxLength) {
    if (text.length() < minLength || text.length() > maxLength) {
      throw new InvalidValueException(
          field, text, "is not " + minLength + " to " + maxLength + " characters long");
    }
    if (text.chars().anyMatch(Character::isISOControl)) {
      throw new InvalidValueException(field, text, "has control characters");
    }
  }

  /** Refuses too many elements, and one that is there twice. */
  public static void elements(String field, List<?> values, int limit) {
    if (values.size() > limit) {
      throw new InvalidValueException(field, values.size() + " elements", "are over " + limit);
    }
    if (new HashSet<>(values).size() != values.size()) {
      throw new InvalidValueException(field, values, "has an element twice");
    }
  }

  /** Refuses what is not one host's MAC address. */
  public static void unicast(String field, MacAddress mac) {
    if (mac.isGroup() || mac.equals(MacAddress.ZERO)) {
      throw new InvalidValueException(field, mac, "is not a unicast address");
    }
  }

  /** Refuses what is not one host's IP address. */
  public static void unicast(String field, IpAddress address) {
    if (address.isUnspecified() || address.isMulticast()) {
      throw new InvalidValueException(field, address, "is not a unicast address");
    }
  }
}
