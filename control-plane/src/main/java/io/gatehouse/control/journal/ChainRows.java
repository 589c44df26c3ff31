package io.gatehouse.control.journal;

import com.google.protobuf.ByteString;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The statements on a table whose rows are chained, and on the one that names its newest row. */
final class ChainRows {
  /** Accepted changes. */
  static final ChainRows JOURNAL = new ChainRows("journal");

  /** Refused calls. */
  static final ChainRows REFUSALS = new ChainRows("refusals");

  private static final int FETCHED_ROWS = 500;

  private final String table;

  private ChainRows(String table) {
    this.table = table;
  }

  /** Takes a row's seq and payload, once the row is verified. */
  @FunctionalInterface
  interface RowConsumer {
    void row(long seq, byte[] payload);
  }

  JournalHead head(Connection connection) throws SQLException {
    try (PreparedStatement select =
            connection.prepareStatement("SELECT seq, hash FROM " + table + "_head WHERE id = 1");
        ResultSet rows = select.executeQuery()) {
      if (!rows.next()) {
        throw new JournalCorruptException(
            0, "the " + table + " has no head" + JournalCorruptException.REMEDY);
      }
      return new JournalHead(rows.getLong(1), rows.getBytes(2));
    }
  }

  void insertHead(Connection connection, long seq, byte[] hash) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO " + table + "_head (id, seq, hash) VALUES (1, ?, ?)")) {
      insert.setLong(1, seq);
      insert.setBytes(2, hash);
      insert.executeUpdate();
    }
  }

  /** Moves the head, if it is where it is expected: the lock on all who append. */
  boolean moveHead(Connection connection, JournalHead from, JournalHead to) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE "
                + table
                + "_head SET seq = ?, hash = ? WHERE id = 1 AND seq = ? AND hash = ?")) {
      update.setLong(1, to.seq());
      update.setBytes(2, to.hash());
      update.setLong(3, from.seq());
      update.setBytes(4, from.hash());
      return update.executeUpdate() == 1;
    }
  }

  /** Inserts payloads behind a head, and returns the head behind them. */
  void insert(Connection connection, JournalHead from, List<byte[]> payloads) throws SQLException {
    JournalHead at = from;
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO " + table + " (seq, prev_hash, hash, payload) VALUES (?, ?, ?, ?)")) {
      for (byte[] payload : payloads) {
        JournalHead next = at.next(payload);
        insert.setLong(1, next.seq());
        insert.setBytes(2, at.hash());
        insert.setBytes(3, next.hash());
        insert.setBytes(4, payload);
        insert.addBatch();
        at = next;
      }
      insert.executeBatch();
    }
  }

  /**
   * The head as it was when a row was the newest; 0 is before the first.
   *
   * @throws JournalCorruptException if there is no such row
   */
  JournalHead at(Connection connection, long seq) throws SQLException {
    if (seq == 0) {
      return JournalHead.start();
    }
    byte[] hash =
        hashOf(connection, seq)
            .orElseThrow(
                () ->
                    new JournalCorruptException(
                        seq,
                        table + " row " + seq + " is missing" + JournalCorruptException.REMEDY));
    return new JournalHead(seq, hash);
  }

  Optional<byte[]> hashOf(Connection connection, long seq) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT hash FROM " + table + " WHERE seq = ?")) {
      select.setLong(1, seq);
      try (ResultSet rows = select.executeQuery()) {
        return rows.next() ? Optional.of(rows.getBytes(1)) : Optional.empty();
      }
    }
  }

  /**
   * Reads the rows behind a head in order, each verified against the one before.
   *
   * @param limit most rows, 0 for all
   * @return the head behind the last row read
   * @throws JournalCorruptException at the first row that is not what was written
   */
  JournalHead read(Connection connection, JournalHead from, int limit, RowConsumer consumer)
      throws SQLException {
    String sql =
        "SELECT seq, prev_hash, hash, payload FROM "
            + table
            + " WHERE seq > ? ORDER BY seq"
            + (limit > 0 ? " LIMIT " + limit : "");
    JournalHead at = from;
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      select.setFetchSize(FETCHED_ROWS);
      select.setLong(1, from.seq());
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          byte[] payload = rows.getBytes(4);
          JournalHead stored = new JournalHead(rows.getLong(1), rows.getBytes(3));
          at = verified(at, stored, rows.getBytes(2), payload);
          consumer.row(at.seq(), payload);
        }
      }
    }
    return at;
  }

  /** Rows as they are stored, whatever they are. */
  List<Chain.Row> stored(Connection connection, long after, int limit) throws SQLException {
    List<Chain.Row> rows = new ArrayList<>();
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT seq, prev_hash, hash, payload FROM "
                + table
                + " WHERE seq > ? ORDER BY seq LIMIT "
                + limit)) {
      select.setLong(1, after);
      try (ResultSet found = select.executeQuery()) {
        while (found.next()) {
          rows.add(
              new Chain.Row(
                  found.getLong(1),
                  ByteString.copyFrom(found.getBytes(2)),
                  ByteString.copyFrom(found.getBytes(3)),
                  ByteString.copyFrom(found.getBytes(4))));
        }
      }
    }
    return rows;
  }

  /**
   * Refuses a chain that does not end where its head says.
   *
   * @param at behind the last row
   */
  void checkEnd(JournalHead at, JournalHead end) {
    if (at.matches(end)) {
      return;
    }
    long seq = Math.min(at.seq(), end.seq()) + 1;
    if (at.seq() < end.seq()) {
      throw new JournalCorruptException(
          seq,
          table
              + " rows "
              + seq
              + ".."
              + end.seq()
              + " are missing: the tail is cut off"
              + JournalCorruptException.REMEDY);
    }
    if (at.seq() > end.seq()) {
      throw new JournalCorruptException(
          seq,
          table
              + " row "
              + seq
              + " is behind the head, "
              + end.seq()
              + ": the tail is half written"
              + JournalCorruptException.REMEDY);
    }
    throw new JournalCorruptException(
        at.seq(),
        table
            + " row "
            + at.seq()
            + " is not the one that the head names"
            + JournalCorruptException.REMEDY);
  }

  private JournalHead verified(
      JournalHead before, JournalHead stored, byte[] prevHash, byte[] payload) {
    long expected = before.seq() + 1;
    if (stored.seq() != expected) {
      throw new JournalCorruptException(
          expected,
          table
              + " row "
              + expected
              + " is missing: row "
              + stored.seq()
              + " follows row "
              + before.seq()
              + JournalCorruptException.REMEDY);
    }
    boolean chained = Arrays.equals(prevHash, before.hash());
    JournalHead computed = before.next(payload);
    if (!chained || !stored.matches(computed)) {
      throw new JournalCorruptException(
          expected,
          table
              + " row "
              + expected
              + (chained
                  ? " was changed after it was written: its hash is another one"
                  : " does not follow row " + before.seq() + ": the chain of hashes is broken")
              + JournalCorruptException.REMEDY);
    }
    return computed;
  }
}
