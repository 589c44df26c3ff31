package io.gatehouse.runtime.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

class LogSetupTest {
  private final PrintStream stderr = System.err;
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  @AfterEach
  void restore() {
    System.setErr(stderr);
    LogSetup.use(LogFormat.TEXT, Level.WARN);
  }

  @Test
  void writesItsOwnAndJavaLoggingToStandardErrorFromTheLevelOn() {
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    LogSetup.use(LogFormat.TEXT, Level.INFO);
    LoggerFactory.getLogger("a.Own").info("seen");
    LoggerFactory.getLogger("a.Own").debug("not seen");
    LoggerFactory.getLogger("io.netty.Some").info("not seen either");
    java.util.logging.Logger.getLogger("b.Other").warning("bridged");
    assertThat(written.toString(StandardCharsets.UTF_8).lines())
        .satisfiesExactly(
            line -> assertThat(line).contains(" INFO  Own ").endsWith(" seen"),
            line -> assertThat(line).contains(" WARN  Other ").endsWith(" bridged"));
  }
}
