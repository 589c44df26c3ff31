package io.gatehouse.runtime.config;

import io.gatehouse.model.net.InvalidValueException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as people write them: a whole number and a unit, such as {@code 250ms} or {@code 5m}.
 */
public final class DurationText {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");

  private DurationText() {}

  /** Reads a number with one of the units ms, s, m, h and d. */
  public static Duration parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new InvalidValueException(
          "duration", text, "is not a number with a unit (ms, s, m, h, d), such as 30s");
    }
    long number = Long.parseLong(form.group(1));
    return switch (form.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }

  /** As {@link #parse(String)}, within bounds. */
  public static Duration parse(String text, Duration min, Duration max) {
    Duration value = parse(text);
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new InvalidValueException(
          "duration", text, "is outside " + format(min) + ".." + format(max));
    }
    return value;
  }

  /** Writes the largest unit that divides the duration; what is below a millisecond is cut off. */
  public static String format(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 1000 != 0 || millis == 0) {
      return millis + "ms";
    }
    long seconds = millis / 1000;
    if (seconds % 86_400 == 0) {
      return seconds / 86_400 + "d";
    }
    if (seconds % 3_600 == 0) {
      return seconds / 3_600 + "h";
    }
    return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
  }
}
