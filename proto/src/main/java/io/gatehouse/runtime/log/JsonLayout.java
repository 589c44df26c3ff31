package io.gatehouse.runtime.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import java.time.Instant;

/**
 * One JSON object a line: time, level, logger, thread, message, the pairs under {@code fields}, and
 * the stack trace if there is one. Values are strings.
 */
final class JsonLayout extends LayoutBase<ILoggingEvent> {
  @Override
  public String doLayout(ILoggingEvent event) {
    StringBuilder json = new StringBuilder(256).append('{');
    pair(json, "time", Instant.ofEpochMilli(event.getTimeStamp()).toString());
    pair(json, "level", event.getLevel().toString());
    pair(json, "logger", event.getLoggerName());
    pair(json, "thread", event.getThreadName());
    pair(json, "message", event.getFormattedMessage());
    StringBuilder fields = new StringBuilder();
    EventFields.of(event).forEach((key, value) -> pair(fields, key, value));
    if (!fields.isEmpty()) {
      json.append(",\"fields\":{").append(fields).append('}');
    }
    IThrowableProxy cause = event.getThrowableProxy();
    if (cause != null) {
      pair(json, "stack", ThrowableProxyUtil.asString(cause));
    }
    return json.append("}\n").toString();
  }

  private static void pair(StringBuilder json, String key, String value) {
    if (!json.isEmpty() && json.charAt(json.length() - 1) != '{') {
      json.append(',');
    }
    quoted(json, key);
    json.append(':');
    quoted(json, value);
  }

  private static void quoted(StringBuilder json, String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> json.append("\\\"");
        case '\\' -> json.append("\\\\");
        case '\n' -> json.append("\\n");
        case '\t' -> json.append("\\t");
        default -> {
          boolean escape = Character.isISOControl(c) || Character.isSurrogate(c);
          json.append(escape ? String.format("\\u%04x", (int) c) : String.valueOf(c));
        }
      }
    }
    json.append('"');
  }
}
