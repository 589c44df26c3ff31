package io.gatehouse.agent.device.ovsdb;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * All monitored tables as they were between two transactions of the server. Immutable; a snapshot
 * of which a table is empty says that the table is empty, not that it could not be read.
 *
 * @param tables by table's name and row's uuid; a monitored table without rows is present
 */
public record OvsdbSnapshot(Map<String, Map<Uuid, Row>> tables) {
  public OvsdbSnapshot {
    tables = Map.copyOf(tables);
  }

  /** The rows of a monitored table. Asking for another table is a bug of the caller. */
  public Map<Uuid, Row> table(String table) {
    Map<Uuid, Row> rows = tables.get(table);
    if (rows == null) {
      throw new IllegalArgumentException("table " + table + " is not monitored");
    }
    return rows;
  }

  public Collection<Row> rows(String table) {
    return table(table).values();
  }

  public Optional<Row> row(String table, Uuid uuid) {
    return Optional.ofNullable(table(table).get(uuid));
  }

  /** The row of a table that has exactly one, such as {@code Open_vSwitch}; else PROTOCOL. */
  public Row single(String table) throws DeviceException {
    Collection<Row> rows = rows(table);
    if (rows.size() != 1) {
      throw new DeviceException(
          Kind.PROTOCOL, "table " + table + " has " + rows.size() + " rows instead of one");
    }
    return rows.iterator().next();
  }

  @Override
  public String toString() {
    return tables.entrySet().stream()
        .map(table -> table.getKey() + "=" + table.getValue().size())
        .sorted()
        .collect(Collectors.joining(", ", "OvsdbSnapshot[", "]"));
  }
}
