package io.gatehouse.agent.device.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class RowTest {
  private static final Uuid OTHER = new Uuid(1, 2);
  private static final Row ROW =
      new Row(
          "Interface",
          new Uuid(0, 7),
          Map.of(
              "name", Value.of("vx0"),
              "ofport", Value.of(3),
              "error", Value.EMPTY_SET,
              "many", Value.strings(List.of("a", "b")),
              "up", Value.of(true),
              "ref", Value.of(OTHER),
              "load", Value.of(new Value.Real(0.5)),
              "options", Value.stringMap(Map.of("key", "flow")),
              "statistics", new Value.MapOf(Map.of(new Value.Text("rx_bytes"), new Value.Whole(9))),
              "queues", new Value.MapOf(Map.of(new Value.Whole(0), OTHER))));

  @Test
  void readsEachType() throws DeviceException {
    assertThat(ROW.string("name")).isEqualTo("vx0");
    assertThat(ROW.optionalString("name")).contains("vx0");
    assertThat(ROW.optionalString("error")).isEmpty();
    assertThat(ROW.integer("ofport")).isEqualTo(3);
    assertThat(ROW.optionalInteger("ofport")).hasValue(3);
    assertThat(ROW.optionalInteger("error")).isEmpty();
    assertThat(ROW.integers("ofport")).containsExactly(3L);
    assertThat(ROW.real("load")).isEqualTo(0.5);
    assertThat(ROW.real("ofport")).isEqualTo(3.0);
    assertThat(ROW.flag("up")).isTrue();
    assertThat(ROW.optionalFlag("error")).isEmpty();
    assertThat(ROW.uuid("ref")).isEqualTo(OTHER);
    assertThat(ROW.optionalUuid("error")).isEmpty();
    assertThat(ROW.uuids("ref")).containsExactly(OTHER);
    assertThat(ROW.strings("many")).containsExactlyInAnyOrder("a", "b");
    assertThat(ROW.stringMap("options")).isEqualTo(Map.of("key", "flow"));
    assertThat(ROW.integerMap("statistics")).isEqualTo(Map.of("rx_bytes", 9L));
    assertThat(ROW.uuidMap("queues")).isEqualTo(Map.of(0L, OTHER));
  }

  @Test
  void aWrongTypeNamesTableColumnAndRow() {
    assertWrong(() -> ROW.string("ofport"), "ofport", "is not a string: it has a Whole in it");
    assertWrong(() -> ROW.string("error"), "error", "is not a string");
    assertWrong(() -> ROW.optionalString("many"), "many", "but has 2 elements");
    assertWrong(() -> ROW.integer("options"), "options", "is not an integer but a map");
    assertWrong(() -> ROW.stringMap("name"), "name", "but a set or a single value");
    assertWrong(() -> ROW.stringMap("statistics"), "statistics", "it has a Whole in it");
    assertWrong(() -> ROW.flag("nope"), "nope", "is not there");
  }

  private static void assertWrong(ThrowingCallable read, String column, String reason) {
    assertThatThrownBy(read)
        .isInstanceOfSatisfying(
            DeviceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.PROTOCOL))
        .hasMessageStartingWith("Interface." + column + " of row " + ROW.uuid())
        .hasMessageContaining(reason);
  }
}
