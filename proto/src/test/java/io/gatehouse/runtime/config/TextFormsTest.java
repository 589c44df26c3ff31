package io.gatehouse.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.model.net.InvalidValueException;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextFormsTest {
  @ParameterizedTest
  @ValueSource(strings = {"0ms", "250ms", "5s", "90s", "3m", "12h", "2d"})
  void writesADurationAsItWasRead(String text) {
    assertThat(DurationText.format(DurationText.parse(text))).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "s", "-5s", "5 s", "1.5s", "5S", "5us", "9999999999s", "1h30m"})
  void refusesOtherDurations(String text) {
    assertThatThrownBy(() -> DurationText.parse(text)).isInstanceOf(InvalidValueException.class);
  }

  @Test
  void boundsADuration() {
    assertThatThrownBy(
            () -> DurationText.parse("2h", Duration.ofMillis(1500), Duration.ofMinutes(60)))
        .hasMessage("duration=2h is outside 1500ms..1h");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"192.0.2.1:0", "[2001:db8::1]:65535", "localhost:8443", "gw-1.dc_2.example:1"})
  void writesAHostAndPortAsItWasRead(String text) {
    assertThat(HostPort.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":1",
        "host",
        "host:",
        "host:65536",
        "host:-1",
        "host:01",
        "1.2.3:5",
        "::1:5",
        "[::1]",
        "[host]:5",
        "a b:5",
        "a..b:5",
        "-a:5",
        "[::1%eth0]:5"
      })
  void refusesOtherHostsAndPorts(String text) {
    assertThatThrownBy(() -> HostPort.parse(text)).isInstanceOf(InvalidValueException.class);
  }

  @Test
  void findsTheClosestWord() {
    Set<String> known = Set.of("address", "port", "datapath");
    assertThat(ClosestWord.hint("adress", known)).isEqualTo("; did you mean address?");
    assertThat(ClosestWord.hint("prot", known)).isEmpty();
    assertThat(ClosestWord.hint("ports", known)).isEqualTo("; did you mean port?");
    assertThat(ClosestWord.hint("something", known)).isEmpty();
  }
}
