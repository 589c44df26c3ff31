package io.gatehouse.runtime.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends the logs of the process to standard error. Until it is used, warnings go there as text. */
public final class LogSetup {
  /** Libraries that tell at INFO what matters to their authors only. */
  private static final List<String> QUIET =
      List.of("io.netty", "io.grpc", "com.zaxxer", "org.flywaydb");

  private LogSetup() {}

  /** Replaces what was set up before. Thread-safe; meant for the start of the program. */
  public static void use(LogFormat format, org.slf4j.event.Level level) {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      install(context, format, Level.convertAnSLF4JLevel(level));
    }
    takeOverJavaLogging();
  }

  static void install(LoggerContext context, LogFormat format, Level level) {
    context.reset();
    LayoutBase<ILoggingEvent> layout =
        format == LogFormat.JSON ? new JsonLayout() : new TextLayout();
    layout.setContext(context);
    layout.start();
    LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
    encoder.setContext(context);
    encoder.setCharset(StandardCharsets.UTF_8);
    encoder.setLayout(layout);
    encoder.start();
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setName("stderr");
    appender.setTarget("System.err");
    appender.setEncoder(encoder);
    appender.start();
    context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
    context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(level);
    for (String library : QUIET) {
      context.getLogger(library).setLevel(level.isGreaterOrEqual(Level.WARN) ? level : Level.WARN);
    }
  }

  /** gRPC logs with java.util.logging; its events join the others. */
  private static void takeOverJavaLogging() {
    java.util.logging.Logger root = LogManager.getLogManager().getLogger("");
    for (Handler handler : root.getHandlers()) {
      root.removeHandler(handler);
    }
    root.addHandler(new JavaLoggingHandler());
    root.setLevel(java.util.logging.Level.INFO);
  }
}
