package io.gatehouse.control.cli.output;

import java.time.Duration;
import java.time.Instant;

/** Times as people say them: {@code 3 m ago}. */
public final class RelativeTime {
  private RelativeTime() {}

  /** The largest unit of s, m, h and d; a time that is yet to come is {@code now}. */
  public static String format(Instant time, Instant now) {
    long seconds = Duration.between(time, now).toSeconds();
    if (seconds <= 0) {
      return "now";
    }
    if (seconds < 60) {
      return seconds + " s ago";
    }
    if (seconds < 3_600) {
      return seconds / 60 + " m ago";
    }
    return seconds < 86_400 ? seconds / 3_600 + " h ago" : seconds / 86_400 + " d ago";
  }
}
