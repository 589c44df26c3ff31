package io.gatehouse.runtime.log;

import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Hands events of java.util.logging to SLF4J. */
final class JavaLoggingHandler extends Handler {
  private final SimpleFormatter formatter = new SimpleFormatter();

  @Override
  public void publish(LogRecord event) {
    String logger = event.getLoggerName() == null ? "java.util.logging" : event.getLoggerName();
    LoggerFactory.getLogger(logger)
        .atLevel(level(event.getLevel()))
        .setCause(event.getThrown())
        .log(formatter.formatMessage(event));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}

  private static Level level(java.util.logging.Level level) {
    if (level.intValue() >= java.util.logging.Level.SEVERE.intValue()) {
      return Level.ERROR;
    }
    if (level.intValue() >= java.util.logging.Level.WARNING.intValue()) {
      return Level.WARN;
    }
    return level.intValue() >= java.util.logging.Level.INFO.intValue() ? Level.INFO : Level.DEBUG;
  }
}
