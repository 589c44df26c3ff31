package io.gatehouse.agent.device.ovsdb;

import com.fasterxml.jackson.databind.JsonNode;
import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The types of the monitored columns (RFC 7047 §3.2). A replica needs two things of them: the
 * default of a column, since an update leaves out columns that have it, and whether a change comes
 * as a difference or as the new value. Immutable.
 *
 * @param tables columns by table and name
 */
record DatabaseSchema(Map<String, Map<String, Column>> tables) {
  DatabaseSchema {
    tables = Map.copyOf(tables);
  }

  /**
   * One column.
   *
   * @param difference whether {@code modify} carries what differs, else it carries the new value
   */
  record Column(Value initial, boolean difference) {}

  /** Reads the columns that are wanted. One that is missing fails: nobody could follow it. */
  static DatabaseSchema read(JsonNode schema, Map<String, Set<String>> wanted)
      throws DeviceException {
    Map<String, Map<String, Column>> tables = new LinkedHashMap<>();
    for (Map.Entry<String, Set<String>> table : wanted.entrySet()) {
      JsonNode columns = schema.path("tables").path(table.getKey()).path("columns");
      Map<String, Column> read = new LinkedHashMap<>();
      for (String column : table.getValue()) {
        read.put(column, column(table.getKey() + "." + column, columns.path(column).path("type")));
      }
      tables.put(table.getKey(), Map.copyOf(read));
    }
    return new DatabaseSchema(tables);
  }

  /** The columns of a monitored table. */
  Map<String, Column> columns(String table) throws DeviceException {
    Map<String, Column> columns = tables.get(table);
    if (columns == null) {
      throw new DeviceException(Kind.PROTOCOL, "update of table " + table + ", not monitored");
    }
    return columns;
  }

  private static Column column(String name, JsonNode type) throws DeviceException {
    if (type.isMissingNode()) {
      throw new DeviceException(Kind.PROTOCOL, "the server's schema has no column " + name);
    }
    JsonNode max = type.path("max");
    boolean many = max.asText().equals("unlimited") || max.asLong(1) > 1;
    if (type.has("value")) {
      return new Column(Value.EMPTY_MAP, many);
    }
    if (type.path("min").asLong(1) == 0) {
      return new Column(Value.EMPTY_SET, many);
    }
    JsonNode key = type.has("key") ? type.get("key") : type;
    String atom = key.isTextual() ? key.textValue() : key.path("type").asText();
    return new Column(Value.of(defaultAtom(name, atom)), many);
  }

  /** RFC 7047 §5.2.1: what an insert gives a column that it does not name. */
  private static Value.Atom defaultAtom(String name, String type) throws DeviceException {
    return switch (type) {
      case "integer" -> new Value.Whole(0);
      case "real" -> new Value.Real(0);
      case "boolean" -> new Value.Flag(false);
      case "string" -> new Value.Text("");
      case "uuid" -> Uuid.ZERO;
      default ->
          throw new DeviceException(Kind.PROTOCOL, "the schema's type of " + name + " is unknown");
    };
  }
}
