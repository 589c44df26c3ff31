package io.gatehouse.runtime.log;

import io.gatehouse.runtime.config.YamlMap;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.event.Level;

/** The section {@code log} of a program's settings. */
public record LogSettings(LogFormat format, Level level) {
  /** Reads {@code format} (text or json, default text) and {@code level} (default info). */
  public static Supplier<LogSettings> read(YamlMap map) {
    Supplier<String> format = map.choice("format", Set.of("text", "json")).orElse("text");
    Supplier<String> level =
        map.choice("level", Set.of("error", "warn", "info", "debug")).orElse("info");
    return () ->
        new LogSettings(
            LogFormat.valueOf(format.get().toUpperCase(Locale.ROOT)),
            Level.valueOf(level.get().toUpperCase(Locale.ROOT)));
  }
}
