package io.gatehouse.agent.device.ovsdb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.model.net.InvalidValueException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** JSON of values and rows (RFC 7047 §5.1). Pure; what is malformed fails with PROTOCOL. */
final class ValueCodec {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private ValueCodec() {}

  /** A single atom that is no set stands as itself; everything else is tagged. */
  static JsonNode write(Value value) {
    if (value instanceof Value.MapOf map) {
      ArrayNode pairs = JSON.arrayNode();
      map.pairs().forEach((k, v) -> pairs.addArray().add(writeAtom(k)).add(writeAtom(v)));
      return JSON.arrayNode().add("map").add(pairs);
    }
    Set<Value.Atom> atoms = ((Value.SetOf) value).atoms();
    if (atoms.size() == 1) {
      return writeAtom(atoms.iterator().next());
    }
    ArrayNode elements = JSON.arrayNode();
    atoms.forEach(atom -> elements.add(writeAtom(atom)));
    return JSON.arrayNode().add("set").add(elements);
  }

  static ObjectNode writeRow(Map<String, Value> row) {
    ObjectNode node = JSON.objectNode();
    row.forEach((column, value) -> node.set(column, write(value)));
    return node;
  }

  /** Reads one column's value; table and column are for the message. */
  static Value read(String table, String column, JsonNode node) throws DeviceException {
    try {
      return readValue(node);
    } catch (InvalidValueException e) {
      throw new DeviceException(Kind.PROTOCOL, text(e.within(table + "." + column)), e);
    }
  }

  /** Reads the 36 characters that stand as a member's name in {@code <table-updates>}. */
  static Uuid readRowName(String table, String text) throws DeviceException {
    try {
      return Uuid.parse(text);
    } catch (InvalidValueException e) {
      throw new DeviceException(Kind.PROTOCOL, text(e.within(table)), e);
    }
  }

  /** Names types, never contents: a column may hold a key. */
  private static String text(InvalidValueException e) {
    return e.field() + "=" + e.reason();
  }

  private static Value readValue(JsonNode node) {
    String tag = node.isArray() ? node.path(0).asText() : "";
    if (tag.equals("set")) {
      return readSet(elements(node, "set"));
    }
    if (tag.equals("map")) {
      return readMap(elements(node, "map"));
    }
    return Value.of(readAtom(node));
  }

  private static Value readSet(JsonNode elements) {
    Set<Value.Atom> atoms = new LinkedHashSet<>();
    for (JsonNode element : elements) {
      if (!atoms.add(readAtom(element))) {
        throw new InvalidValueException("set", element.getNodeType(), "is in the set twice");
      }
    }
    return atoms.isEmpty() ? Value.EMPTY_SET : new Value.SetOf(atoms);
  }

  private static Value readMap(JsonNode elements) {
    Map<Value.Atom, Value.Atom> pairs = new LinkedHashMap<>();
    for (JsonNode pair : elements) {
      if (!pair.isArray() || pair.size() != 2) {
        throw new InvalidValueException("map", pair.getNodeType(), "is not a pair");
      }
      if (pairs.put(readAtom(pair.get(0)), readAtom(pair.get(1))) != null) {
        throw new InvalidValueException(
            "map", pair.get(0).getNodeType(), "is a key of the map twice");
      }
    }
    return pairs.isEmpty() ? Value.EMPTY_MAP : new Value.MapOf(pairs);
  }

  private static JsonNode elements(JsonNode node, String tag) {
    if (node.size() != 2 || !node.get(1).isArray()) {
      throw new InvalidValueException(tag, node.getNodeType(), "is not a " + tag + " of RFC 7047");
    }
    return node.get(1);
  }

  private static Value.Atom readAtom(JsonNode node) {
    if (node.isTextual()) {
      return new Value.Text(node.textValue());
    }
    if (node.isBoolean()) {
      return new Value.Flag(node.booleanValue());
    }
    if (node.isIntegralNumber() && node.canConvertToLong()) {
      return new Value.Whole(node.longValue());
    }
    if (node.isFloatingPointNumber() && Double.isFinite(node.doubleValue())) {
      return new Value.Real(node.doubleValue());
    }
    if (node.isArray() && node.size() == 2 && node.get(0).asText().equals("uuid")) {
      return Uuid.parse(node.get(1).asText());
    }
    throw new InvalidValueException("atom", node.getNodeType(), "is not an atom of RFC 7047");
  }

  private static JsonNode writeAtom(Value.Atom atom) {
    if (atom instanceof Value.Text text) {
      return JSON.textNode(text.value());
    }
    if (atom instanceof Value.Whole whole) {
      return JSON.numberNode(whole.value());
    }
    if (atom instanceof Value.Real real) {
      return JSON.numberNode(real.value());
    }
    if (atom instanceof Value.Flag flag) {
      return JSON.booleanNode(flag.value());
    }
    if (atom instanceof Uuid uuid) {
      return JSON.arrayNode().add("uuid").add(uuid.toString());
    }
    return JSON.arrayNode().add("named-uuid").add(((Value.Named) atom).name());
  }
}
