package io.gatehouse.control.journal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The statements on the tables {@code journal} and {@code journal_head}. */
final class JournalRows {
  private static final int FETCHED_ROWS = 500;

  private JournalRows() {}

  /** Takes a row's seq and payload, once the row is verified. */
  @FunctionalInterface
  interface RowConsumer {
    void row(long seq, byte[] payload);
  }

  static JournalHead head(Connection connection) throws SQLException {
    try (PreparedStatement select =
            connection.prepareStatement("SELECT seq, hash FROM journal_head WHERE id = 1");
        ResultSet rows = select.executeQuery()) {
      if (!rows.next()) {
        throw new JournalCorruptException(
            0, "the journal has no head" + JournalCorruptException.REMEDY);
      }
      return new JournalHead(rows.getLong(1), rows.getBytes(2));
    }
  }

  static void insertHead(Connection connection, long seq, byte[] hash) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO journal_head (id, seq, hash) VALUES (1, ?, ?)")) {
      insert.setLong(1, seq);
      insert.setBytes(2, hash);
      insert.executeUpdate();
    }
  }

  /** Moves the head, if it is where it is expected: the lock on all who append. */
  static boolean moveHead(Connection connection, JournalHead from, JournalHead to)
      throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE journal_head SET seq = ?, hash = ? WHERE id = 1 AND seq = ? AND hash = ?")) {
      update.setLong(1, to.seq());
      update.setBytes(2, to.hash());
      update.setLong(3, from.seq());
      update.setBytes(4, from.hash());
      return update.executeUpdate() == 1;
    }
  }

  /** Inserts payloads behind a head, and returns the head behind them. */
  static void insert(Connection connection, JournalHead from, List<byte[]> payloads)
      throws SQLException {
    JournalHead at = from;
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO journal (seq, prev_hash, hash, payload) VALUES (?, ?, ?, ?)")) {
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
  static JournalHead at(Connection connection, long seq) throws SQLException {
    if (seq == 0) {
      return JournalHead.start();
    }
    byte[] hash =
        hashOf(connection, seq)
            .orElseThrow(
                () ->
                    new JournalCorruptException(
                        seq,
                        "journal row " + seq + " is missing" + JournalCorruptException.REMEDY));
    return new JournalHead(seq, hash);
  }

  static Optional<byte[]> hashOf(Connection connection, long seq) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT hash FROM journal WHERE seq = ?")) {
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
  static JournalHead read(Connection connection, JournalHead from, int limit, RowConsumer consumer)
      throws SQLException {
    String sql =
        "SELECT seq, prev_hash, hash, payload FROM journal WHERE seq > ? ORDER BY seq"
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

  private static JournalHead verified(
      JournalHead before, JournalHead stored, byte[] prevHash, byte[] payload) {
    long expected = before.seq() + 1;
    if (stored.seq() != expected) {
      throw new JournalCorruptException(
          expected,
          "journal row "
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
          "journal row "
              + expected
              + (chained
                  ? " was changed after it was written: its hash is another one"
                  : " does not follow row " + before.seq() + ": the chain of hashes is broken")
              + JournalCorruptException.REMEDY);
    }
    return computed;
  }
}
