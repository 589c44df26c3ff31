package io.gatehouse.control.fleet;

import com.google.protobuf.InvalidProtocolBufferException;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.DpuStatus;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The tables {@code dpu_status} (a row a DPU, the newest only) and {@code replicas} (a row a
 * running control plane), in SQLite or PostgreSQL. What they hold is reported again by the agents:
 * they can be dropped at any time. Stateless; one transaction is the caller's.
 *
 * <p>A row belongs to the control plane that the DPU's agent reached last: each stream raises the
 * row's epoch, and a write with an older epoch has no effect. Each control plane numbers its writes
 * by itself, so that a reader sees them in order however transactions overlap.
 */
final class StatusTable {
  /**
   * Row of a control plane: a counter that shows that it runs, and the number of its last write.
   */
  record Replica(long beat, long lastWrite) {}

  /** Row of a DPU. */
  record Row(DpuName dpu, DpuState state) {}

  private static final long LOCK = 0x6761_7466L;
  private static final String COLUMNS =
      "dpu, epoch, replica, connected, applied, seen_millis, vtep, report";

  private StatusTable() {}

  static void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")) {
        statement.execute("SELECT pg_advisory_xact_lock(" + LOCK + ")");
      }
      statement.execute(
          "CREATE TABLE IF NOT EXISTS dpu_status (dpu TEXT PRIMARY KEY, epoch BIGINT NOT NULL,"
              + " replica TEXT NOT NULL, connected INTEGER NOT NULL, applied BIGINT NOT NULL,"
              + " seen_millis BIGINT NOT NULL, vtep TEXT NOT NULL, report BYTEA NOT NULL,"
              + " write_number BIGINT NOT NULL)");
      statement.execute(
          "CREATE INDEX IF NOT EXISTS dpu_status_writes ON dpu_status (replica, write_number)");
      statement.execute(
          "CREATE TABLE IF NOT EXISTS replicas (id TEXT PRIMARY KEY, beat BIGINT NOT NULL,"
              + " last_write BIGINT NOT NULL)");
    }
  }

  /** Writes the first state of a stream and gives the stream its epoch. */
  static long connect(Connection connection, Row row, long writeNumber) throws SQLException {
    String sql =
        "INSERT INTO dpu_status ("
            + COLUMNS
            + ", write_number) VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (dpu) DO UPDATE SET"
            + " epoch = dpu_status.epoch + 1, replica = excluded.replica,"
            + " connected = excluded.connected, applied = excluded.applied,"
            + " seen_millis = excluded.seen_millis, vtep = excluded.vtep,"
            + " report = excluded.report, write_number = excluded.write_number RETURNING epoch";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, row.dpu().dpu());
      bind(statement, 2, row.state(), writeNumber);
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        return result.getLong(1);
      }
    }
  }

  /** Writes a later state of a stream; false if the DPU has a newer stream. */
  static boolean update(Connection connection, Row row, long writeNumber) throws SQLException {
    String sql =
        "UPDATE dpu_status SET replica = ?, connected = ?, applied = ?, seen_millis = ?, vtep = ?,"
            + " report = ?, write_number = ? WHERE dpu = ? AND epoch = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, 1, row.state(), writeNumber);
      statement.setString(8, row.dpu().dpu());
      statement.setLong(9, row.state().holder().epoch());
      return statement.executeUpdate() == 1;
    }
  }

  static void delete(Connection connection, DpuName dpu) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("DELETE FROM dpu_status WHERE dpu = ?")) {
      statement.setString(1, dpu.dpu());
      statement.executeUpdate();
    }
  }

  /** Shows that a control plane runs, and how far it has written. */
  static void beat(Connection connection, String replica, Replica row) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT INTO replicas (id, beat, last_write) VALUES (?, ?, ?) ON CONFLICT (id) DO"
                + " UPDATE SET beat = excluded.beat, last_write = excluded.last_write")) {
      statement.setString(1, replica);
      statement.setLong(2, row.beat());
      statement.setLong(3, row.lastWrite());
      statement.executeUpdate();
    }
  }

  static void forget(Connection connection, String replica) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("DELETE FROM replicas WHERE id = ?")) {
      statement.setString(1, replica);
      statement.executeUpdate();
    }
  }

  static Map<String, Replica> replicas(Connection connection) throws SQLException {
    Map<String, Replica> replicas = new HashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT id, beat, last_write FROM replicas")) {
      while (rows.next()) {
        replicas.put(rows.getString(1), new Replica(rows.getLong(2), rows.getLong(3)));
      }
    }
    return replicas;
  }

  static List<Row> all(Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT " + COLUMNS + " FROM dpu_status")) {
      return rows(statement);
    }
  }

  /** What a control plane has written after one of its writes. */
  static List<Row> writtenAfter(Connection connection, String replica, long writeNumber)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT " + COLUMNS + " FROM dpu_status WHERE replica = ? AND write_number > ?")) {
      statement.setString(1, replica);
      statement.setLong(2, writeNumber);
      return rows(statement);
    }
  }

  private static void bind(PreparedStatement statement, int first, DpuState state, long writeNumber)
      throws SQLException {
    statement.setString(first, state.holder().replica());
    statement.setInt(first + 1, state.holder().connected() ? 1 : 0);
    statement.setLong(first + 2, state.applied());
    statement.setLong(first + 3, state.lastSeen().toEpochMilli());
    statement.setString(first + 4, state.vtepAddress());
    statement.setBytes(first + 5, state.reported().toByteArray());
    statement.setLong(first + 6, writeNumber);
  }

  private static List<Row> rows(PreparedStatement statement) throws SQLException {
    List<Row> rows = new ArrayList<>();
    try (ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        rows.add(row(result));
      }
    }
    return rows;
  }

  private static Row row(ResultSet result) throws SQLException {
    DpuState.Holder holder =
        new DpuState.Holder(result.getString(3), result.getLong(2), result.getInt(4) != 0, null);
    DpuStatus reported;
    try {
      reported = DpuStatus.parseFrom(result.getBytes(8));
    } catch (InvalidProtocolBufferException e) {
      throw new SQLException("dpu_status of " + result.getString(1) + " is not readable", e);
    }
    return new Row(
        new DpuName(result.getString(1)),
        new DpuState(
            reported,
            result.getLong(5),
            Instant.ofEpochMilli(result.getLong(6)),
            result.getString(7),
            holder));
  }
}
