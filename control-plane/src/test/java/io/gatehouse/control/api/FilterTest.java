package io.gatehouse.control.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.MacAddress;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FilterTest {
  /** What is filtered here. */
  private record Host(String name, String mac) {}

  private static final Map<String, Filter.Field<Host>> FIELDS =
      Map.of(
          "name",
          Filter.Field.text(Host::name),
          "mac",
          new Filter.Field<>(Host::mac, text -> MacAddress.parse(text).toString()));

  private static final Host HOST = new Host("web \"1\" AND more", "02:00:00:00:00:0a");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                                        | true",
        "name = \"web \\\"1\\\" AND more\"                         | true",
        "name=\"web \\\"1\\\" AND more\" AND mac=02:00:00:00:00:0a | true",
        "name = web                                                | false",
        "name != web AND mac != 02:00:00:00:00:0b                  | true",
        "name != web AND mac != 02:00:00:00:00:0a                  | false",
        "name = \"\"                                               | false",
      })
  void termsAreJoined(String filter, boolean expected) {
    assertThat(Filter.parse(filter, FIELDS).test(HOST)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "name                | has no field = value or field != value at character 1",
        "name = web OR a = b | has no AND at character 12",
        "name = web AND      | has no AND at character 12",
        "name = \"web        | has no field = value or field != value at character 1",
        "name == web         | has no field = value or field != value at character 1",
        "age = 3             | age is no field to filter by; there are [mac, name]",
        "mac = 1             | mac = 1 is not six hexadecimal bytes",
      })
  void whatIsWrongIsSaid(String filter, String reason) {
    assertThatThrownBy(() -> Filter.parse(filter, FIELDS))
        .isInstanceOfSatisfying(
            InvalidValueException.class, e -> assertThat(e.field()).isEqualTo("filter"))
        .hasMessageContaining(reason);
  }

  @Test
  void anyTextIsReadOrRefusedInTime() {
    String alphabet = "name mac=!\"\\AND :0a";
    for (long seed = 0; seed < 3_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(1_030); i > 0; i--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      assertThat(outcome(text.toString())).as("seed " + seed).isNotEmpty();
    }
  }

  private static String outcome(String filter) {
    try {
      return Filter.parse(filter, FIELDS).test(HOST) ? "kept" : "left out";
    } catch (InvalidValueException e) {
      return e.reason();
    }
  }
}
