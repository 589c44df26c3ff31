package io.gatehouse.control.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutputTest {
  @Test
  void alignsColumnsAndKeepsServersFromSteeringTheTerminal() {
    Table table = new Table(List.of("NAME", "TEXT", "LAST"));
    table.row(List.of("a", "ünï\u001b[31m\nx", "")).row(List.of("long-name", "", "z"));
    assertThat(table)
        .hasToString(
            """
            NAME       TEXT        LAST
            a          ünï [31m x  -
            long-name  -           z
            """);
    assertThatThrownBy(() -> table.row(List.of("x"))).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void alignsFields() {
    assertThat(new FieldList().add("name", "x").add("longer", ""))
        .hasToString("name    x\nlonger  -\n");
  }

  @ParameterizedTest
  @CsvSource({
    "2026-08-01T10:00:01Z, now",
    "2026-08-01T10:00:00Z, now",
    "2026-08-01T09:59:59Z, 1 s ago",
    "2026-08-01T09:59:00Z, 1 m ago",
    "2026-08-01T09:00:01Z, 59 m ago",
    "2026-07-31T10:00:01Z, 23 h ago",
    "2026-07-30T10:00:00Z, 2 d ago"
  })
  void saysHowLongAgo(Instant time, String expected) {
    assertThat(RelativeTime.format(time, Instant.parse("2026-08-01T10:00:00Z")))
        .isEqualTo(expected);
  }
}
