package io.gatehouse.wire;

import com.google.protobuf.Timestamp;
import io.gatehouse.model.net.InvalidValueException;
import java.time.DateTimeException;
import java.time.Instant;

/** Points in time as messages; nothing is rounded. */
public final class TimeWire {
  private TimeWire() {}

  public static Timestamp toProto(Instant time) {
    return Timestamp.newBuilder()
        .setSeconds(time.getEpochSecond())
        .setNanos(time.getNano())
        .build();
  }

  /** Reads a point in time; what is outside the calendar is reported under the given field. */
  public static Instant fromProto(String field, Timestamp message) {
    try {
      return Instant.ofEpochSecond(message.getSeconds(), message.getNanos());
    } catch (DateTimeException | ArithmeticException e) {
      throw new InvalidValueException(field, message.getSeconds() + " s", "is not a date");
    }
  }
}
