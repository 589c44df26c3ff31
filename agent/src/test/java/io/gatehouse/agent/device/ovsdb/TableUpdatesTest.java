package io.gatehouse.agent.device.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TableUpdatesTest {
  private static final String A = "00000000-0000-0000-0000-00000000000a";
  private static final String B = "00000000-0000-0000-0000-00000000000b";

  private DatabaseSchema schema;
  private OvsdbSnapshot now;

  @BeforeEach
  void startWithNothing() throws DeviceException {
    schema = Captured.schema();
    now = TableUpdates.nothing(schema);
  }

  @Test
  void followsACapturedSession() throws DeviceException {
    List<String> trunks = new ArrayList<>();
    for (JsonNode changes : Captured.updates()) {
      now = TableUpdates.apply(now, schema, changes);
      for (Row port : now.rows("Port")) {
        if (port.string("name").equals("vx0")) {
          trunks.add(
              port.optionalInteger("tag")
                  + " "
                  + port.integers("trunks").stream().sorted().toList());
        }
      }
    }
    assertThat(trunks.stream().distinct())
        .containsExactly(
            "OptionalLong.empty []", "OptionalLong[5] [1, 2, 3]", "OptionalLong[5] [2, 4]");
    assertThat(now.rows("Bridge")).isEmpty();
    Row root = now.single("Open_vSwitch");
    assertThat(root.uuids("bridges")).isEmpty();
    assertThat(root.stringMap("external_ids")).containsEntry("system-id", "dpu \"ü\"");
    assertThat(root.integer("next_cfg")).isEqualTo(1);
  }

  @Test
  void setsAndMapsChangeByDifferenceAndSingleValuesByReplacement() throws DeviceException {
    apply(
        "{'Bridge':{'%a':{'insert':{'name':'br','external_ids':['map',[['a','1'],['b','2']]]}}}}");
    apply(
        "{'Bridge':{'%a':{'modify':{'fail_mode':'secure','ports':['uuid','%b'],"
            + "'external_ids':['map',[['a','1'],['b','3'],['c','4']]]}}}}");
    Row row = now.row("Bridge", Uuid.parse(A)).orElseThrow();
    assertThat(row.stringMap("external_ids")).isEqualTo(Map.of("b", "3", "c", "4"));
    assertThat(row.optionalString("fail_mode")).contains("secure");
    assertThat(row.uuids("ports")).containsExactly(Uuid.parse(B));
    apply("{'Bridge':{'%a':{'modify':{'fail_mode':['set',[]],'ports':['uuid','%b']}}}}");
    row = now.row("Bridge", Uuid.parse(A)).orElseThrow();
    assertThat(row.optionalString("fail_mode")).isEmpty();
    assertThat(row.uuids("ports")).isEmpty();
  }

  @Test
  void anOldSnapshotStaysAsItWas() throws DeviceException {
    OvsdbSnapshot before = now;
    apply("{'Bridge':{'%a':{'insert':{'name':'br'}}}}");
    assertThat(before.rows("Bridge")).isEmpty();
    assertThat(now.rows("Bridge")).hasSize(1);
  }

  @Test
  void anUpdateThatDoesNotFitIsAProtocolError() throws DeviceException {
    apply("{'Bridge':{'%a':{'insert':{'name':'br'}}}}");
    assertWrong("{'Bridge':{'%a':{'insert':{'name':'br'}}}}", "was there before its insert");
    assertWrong("{'Port':{'%a':{'modify':{'tag':1}}}}", "was not there before its modify");
    assertWrong("{'Port':{'%a':{'delete':null}}}", "was not there before its delete");
    assertWrong("{'Queue':{'%a':{'delete':null}}}", "table Queue, not monitored");
    assertWrong("{'Bridge':{'%a':{'modify':{'protocols':'x'}}}}", "not monitored: protocols");
    assertWrong("{'Bridge':{'%a':{'explode':{}}}}", "unknown kind explode");
    assertWrong("{'Bridge':{'%a':{}}}", "in 0 ways");
    assertWrong("{'Bridge':{'%a':7}}", "in 0 ways");
    assertWrong("{'Bridge':[]}", "rows of Bridge are not an object");
    assertWrong("[]", "not an object");
    assertWrong("{'Bridge':{'x':{'delete':null}}}", "Bridge.uuid=x");
    assertWrong(
        "{'Bridge':{'%a':{'modify':{'ports':['map',[]]}}}}", "another type in column ports");
    assertWrong(
        "{'Bridge':{'%a':{'modify':{'ports':['set',[['uuid','x']]]}}}}", "Bridge.ports.uuid");
    assertWrong("{'Bridge':{'%a':{'modify':7}}}", "not an object");
  }

  @Test
  void randomChangesOfRealUpdatesAreAppliedOrAProtocolError() throws DeviceException {
    List<JsonNode> updates = Captured.updates();
    int refused = 0;
    for (int seed = 0; seed < 3_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      OvsdbSnapshot at = TableUpdates.nothing(schema);
      for (JsonNode update : updates) {
        try {
          at = TableUpdates.apply(at, schema, mutate(update, random));
        } catch (DeviceException e) {
          assertThat(e.kind()).as("seed %d", seed).isEqualTo(Kind.PROTOCOL);
          refused++;
        }
      }
    }
    assertThat(refused).isPositive();
  }

  @Test
  void schemaWithoutAWantedColumnIsNamed() {
    assertThatThrownBy(
            () -> DatabaseSchema.read(Captured.schemaResult(), Map.of("Bridge", Set.of("nope"))))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("Bridge.nope");
    assertThatThrownBy(
            () -> DatabaseSchema.read(Captured.json("[]"), Map.of("Bridge", Set.of("name"))))
        .isInstanceOf(DeviceException.class);
  }

  /** Now and then puts something else in the place of a node. */
  private static JsonNode mutate(JsonNode node, SplittableRandom random) {
    JsonNodeFactory json = JsonNodeFactory.instance;
    if (random.nextInt(40) == 0) {
      return switch (random.nextInt(5)) {
        case 0 -> json.nullNode();
        case 1 -> json.numberNode(random.nextLong());
        case 2 -> json.textNode("set");
        case 3 -> json.arrayNode().add("map").add(json.arrayNode());
        default -> json.objectNode();
      };
    }
    if (node instanceof ArrayNode array) {
      ArrayNode copy = json.arrayNode();
      array.forEach(element -> copy.add(mutate(element, random)));
      return copy;
    }
    if (node instanceof ObjectNode object) {
      ObjectNode copy = json.objectNode();
      object
          .properties()
          .forEach(entry -> copy.set(entry.getKey(), mutate(entry.getValue(), random)));
      return copy;
    }
    return node;
  }

  /** In the update, {@code %a} and {@code %b} stand for two rows. */
  private void apply(String update) throws DeviceException {
    String text = update.replace("%a", A).replace("%b", B);
    now = TableUpdates.apply(now, schema, Captured.quoted(text));
  }

  private void assertWrong(String update, String reason) {
    OvsdbSnapshot before = now;
    assertThatThrownBy(() -> apply(update))
        .isInstanceOfSatisfying(
            DeviceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.PROTOCOL))
        .hasMessageContaining(reason);
    assertThat(now).isSameAs(before);
  }
}
