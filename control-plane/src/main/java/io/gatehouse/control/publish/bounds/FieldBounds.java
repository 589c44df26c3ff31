package io.gatehouse.control.publish.bounds;

import io.gatehouse.model.net.InvalidValueException;
import java.util.List;

/** Checks of one field; what is out of bounds is named with its path and value. Pure. */
public final class FieldBounds {
  private FieldBounds() {}

  public static void range(String field, long value, long min, long max) {
    if (value < min || value > max) {
      throw new InvalidValueException(field, value, "is outside " + min + ".." + max);
    }
  }

  public static void count(String field, int count, int max) {
    if (count > max) {
      throw new InvalidValueException(field, count + " elements", "are more than " + max);
    }
  }

  public static void text(String field, String text, int maxLength) {
    if (text.length() > maxLength) {
      throw new InvalidValueException(field, text, "is longer than " + maxLength + " characters");
    }
  }

  public static void texts(String field, List<String> texts, int maxCount, int maxLength) {
    count(field, texts.size(), maxCount);
    for (int i = 0; i < texts.size(); i++) {
      if (texts.get(i).length() > maxLength) {
        text(field + "[" + i + "]", texts.get(i), maxLength);
      }
    }
  }
}
