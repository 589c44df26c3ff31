package io.gatehouse.agent.device.ovsdb;

import com.fasterxml.jackson.databind.JsonNode;
import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Applies {@code <table-updates2>} (ovsdb-server(7), "Monitor_cond") to a snapshot. Pure. An update
 * that does not fit the snapshot fails with PROTOCOL: the replica would no longer be the server's.
 */
final class TableUpdates {
  private TableUpdates() {}

  /** A snapshot of the monitored tables without any row: what an initial update is applied to. */
  static OvsdbSnapshot nothing(DatabaseSchema schema) {
    Map<String, Map<Uuid, Row>> tables = new HashMap<>();
    schema.tables().keySet().forEach(table -> tables.put(table, Map.of()));
    return new OvsdbSnapshot(tables);
  }

  static OvsdbSnapshot apply(OvsdbSnapshot before, DatabaseSchema schema, JsonNode updates)
      throws DeviceException {
    requireObject(updates, "the table updates");
    Map<String, Map<Uuid, Row>> tables = new HashMap<>(before.tables());
    for (Iterator<String> names = updates.fieldNames(); names.hasNext(); ) {
      String table = names.next();
      Map<String, DatabaseSchema.Column> columns = schema.columns(table);
      Map<Uuid, Row> rows = new HashMap<>(before.table(table));
      JsonNode changes = requireObject(updates.get(table), "the rows of " + table);
      for (Iterator<String> uuids = changes.fieldNames(); uuids.hasNext(); ) {
        String uuid = uuids.next();
        Row name = new Row(table, ValueCodec.readRowName(table, uuid), Map.of());
        new Change(name, rows, columns).apply(changes.get(uuid));
      }
      tables.put(table, Collections.unmodifiableMap(rows));
    }
    return new OvsdbSnapshot(tables);
  }

  private static JsonNode requireObject(JsonNode node, String what) throws DeviceException {
    if (!node.isObject()) {
      throw new DeviceException(Kind.PROTOCOL, "update: " + what + " are not an object");
    }
    return node;
  }

  /** One row's update: exactly one of initial, insert, modify, delete. */
  private record Change(Row name, Map<Uuid, Row> rows, Map<String, DatabaseSchema.Column> columns) {

    void apply(JsonNode update) throws DeviceException {
      if (!update.isObject() || update.size() != 1) {
        throw wrong("is changed in " + update.size() + " ways at once");
      }
      String kind = update.fieldNames().next();
      Row before = rows.get(name.uuid());
      boolean makes = kind.equals("initial") || kind.equals("insert");
      if (makes == (before != null)) {
        throw wrong(makes ? "was there before its " + kind : "was not there before its " + kind);
      }
      if (makes) {
        put(initialColumns(), update.get(kind), false);
        return;
      }
      if (kind.equals("delete")) {
        rows.remove(name.uuid());
        return;
      }
      if (!kind.equals("modify") || before == null) {
        throw wrong("has an update of the unknown kind " + kind);
      }
      put(new LinkedHashMap<>(before.columns()), update.get(kind), true);
    }

    private Map<String, Value> initialColumns() {
      Map<String, Value> initial = new LinkedHashMap<>();
      columns.forEach((column, type) -> initial.put(column, type.initial()));
      return initial;
    }

    private void put(Map<String, Value> into, JsonNode row, boolean modify) throws DeviceException {
      requireObject(row, "the columns of " + name.table());
      for (Iterator<String> names = row.fieldNames(); names.hasNext(); ) {
        String column = names.next();
        DatabaseSchema.Column type = columns.get(column);
        Value before = into.get(column);
        if (type == null || before == null) {
          throw wrong("has a column that is not monitored: " + column);
        }
        Value value = ValueCodec.read(name.table(), column, row.get(column));
        into.put(column, modify && type.difference() ? merge(column, before, value) : value);
      }
      rows.put(name.uuid(), new Row(name.table(), name.uuid(), into));
    }

    private Value merge(String column, Value before, Value difference) throws DeviceException {
      if (before instanceof Value.SetOf old && difference instanceof Value.SetOf change) {
        return mergeSet(old, change);
      }
      if (before instanceof Value.MapOf old && difference instanceof Value.MapOf change) {
        return mergeMap(old, change);
      }
      throw wrong("has a change of another type in column " + column);
    }

    private DeviceException wrong(String reason) {
      return new DeviceException(
          Kind.PROTOCOL, "update: row " + name.uuid() + " of " + name.table() + " " + reason);
    }
  }

  /** What is in exactly one of the two sets. */
  private static Value mergeSet(Value.SetOf old, Value.SetOf change) {
    Set<Value.Atom> atoms = new LinkedHashSet<>(old.atoms());
    for (Value.Atom atom : change.atoms()) {
      if (!atoms.remove(atom)) {
        atoms.add(atom);
      }
    }
    return new Value.SetOf(atoms);
  }

  /** A pair that was there is removed; a known key with another value is changed; else added. */
  private static Value mergeMap(Value.MapOf old, Value.MapOf change) {
    Map<Value.Atom, Value.Atom> pairs = new LinkedHashMap<>(old.pairs());
    change
        .pairs()
        .forEach(
            (key, value) -> {
              if (!pairs.remove(key, value)) {
                pairs.put(key, value);
              }
            });
    return new Value.MapOf(pairs);
  }
}
