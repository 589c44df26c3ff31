package io.gatehouse.runtime.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class LayoutTest {
  private static final long TIME = 1_785_578_400_000L;

  @Test
  void writesAnEventAsOneAlignedLine() {
    assertThat(new TextLayout().doLayout(event("Stream opened", null)))
        .isEqualTo(
            "2026-08-01T10:00:00.000Z INFO  Subscriber           Stream opened revision=812"
                + " reason=\"two words\" empty=\"\" tenant=acme\n");
  }

  @Test
  void keepsWhatAPeerSentOnOneLine() {
    LoggingEvent event = event("hello\nERROR forged\u001b[31m", null);
    event.setKeyValuePairs(List.of(new KeyValuePair("name", "a\"b\r\nc=\\")));
    assertThat(new TextLayout().doLayout(event))
        .endsWith("hello\\nERROR forged\\u001b[31m name=\"a\\\"b\\u000d\\nc=\\\\\" tenant=acme\n");
  }

  @Test
  void indentsAStackTrace() {
    String text = new TextLayout().doLayout(event("Failed", new IllegalStateException("why")));
    assertThat(text.lines().skip(1)).allMatch(line -> line.startsWith("    ")).isNotEmpty();
    assertThat(text).contains("    java.lang.IllegalStateException: why\n");
  }

  @Test
  void writesAnEventAsOneJsonObject() {
    LoggingEvent event = event("say \"hi\"\n\u0001", new IllegalStateException("why"));
    assertThat(new JsonLayout().doLayout(event))
        .startsWith(
            "{\"time\":\"2026-08-01T10:00:00Z\",\"level\":\"INFO\","
                + "\"logger\":\"io.gatehouse.agent.subscribe.Subscriber\",\"thread\":\"main\","
                + "\"message\":\"say \\\"hi\\\"\\n\\u0001\",\"fields\":{\"revision\":\"812\","
                + "\"reason\":\"two words\",\"empty\":\"\",\"tenant\":\"acme\"},"
                + "\"stack\":\"java.lang.IllegalStateException: why\\n\\tat ")
        .endsWith("\"}\n");
  }

  private static LoggingEvent event(String message, @Nullable Throwable cause) {
    LoggerContext context = new LoggerContext();
    LoggingEvent event =
        new LoggingEvent(
            "",
            context.getLogger("io.gatehouse.agent.subscribe.Subscriber"),
            Level.INFO,
            message,
            cause,
            null);
    event.setTimeStamp(TIME);
    event.setThreadName("main");
    event.setKeyValuePairs(
        List.of(
            new KeyValuePair("revision", 812),
            new KeyValuePair("reason", "two words"),
            new KeyValuePair("empty", "")));
    event.setMDCPropertyMap(Map.of("tenant", "acme"));
    return event;
  }
}
