package io.gatehouse.runtime.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * {@code time level logger message key=value …}. What a peer or a person sent cannot start a new
 * line: control characters are escaped. Only a stack trace takes further lines, each indented.
 */
final class TextLayout extends LayoutBase<ILoggingEvent> {
  private static final int LEVEL_WIDTH = 5;
  private static final int LOGGER_WIDTH = 20;

  @Override
  public String doLayout(ILoggingEvent event) {
    StringBuilder line = new StringBuilder(160);
    String time = time(event.getTimeStamp());
    line.append(time).append(' ');
    padded(line, event.getLevel().toString(), LEVEL_WIDTH).append(' ');
    padded(line, EventFields.shortName(event.getLoggerName()), LOGGER_WIDTH).append(' ');
    escaped(line, event.getFormattedMessage());
    EventFields.of(event)
        .forEach(
            (key, value) -> {
              escaped(line.append(' '), key).append('=');
              value(line, value);
            });
    line.append('\n');
    IThrowableProxy cause = event.getThrowableProxy();
    if (cause != null) {
      ThrowableProxyUtil.asString(cause)
          .lines()
          .forEach(frame -> escaped(line.append("    "), frame.strip()).append('\n'));
    }
    return line.toString();
  }

  /** Always with milliseconds, so that lines align. */
  private static String time(long millis) {
    Instant time = Instant.ofEpochMilli(millis);
    if (millis % 1000 != 0) {
      return time.toString();
    }
    String whole = time.truncatedTo(ChronoUnit.SECONDS).toString();
    return whole.substring(0, whole.length() - 1) + ".000Z";
  }

  private static StringBuilder padded(StringBuilder line, String text, int width) {
    line.append(text);
    return line.append(" ".repeat(Math.max(0, width - text.length())));
  }

  private static void value(StringBuilder line, String value) {
    boolean plain =
        !value.isEmpty() && value.chars().noneMatch(c -> c <= ' ' || c == '"' || c == '=');
    if (plain) {
      escaped(line, value);
      return;
    }
    escaped(line.append('"'), value.replace("\\", "\\\\").replace("\"", "\\\"")).append('"');
  }

  private static StringBuilder escaped(StringBuilder line, String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!Character.isISOControl(c)) {
        line.append(c);
        continue;
      }
      line.append(c == '\n' ? "\\n" : String.format("\\u%04x", (int) c));
    }
    return line;
  }
}
