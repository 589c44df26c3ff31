package io.gatehouse.control.journal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The statements on the table {@code snapshots}. */
final class SnapshotRows {
  private SnapshotRows() {}

  /**
   * One snapshot.
   *
   * @param at the row of the journal that it was taken behind
   */
  // The arrays are never compared as part of the record.
  @SuppressWarnings("ArrayRecordComponent")
  record Stored(JournalHead at, byte[] checksum, byte[] payload) {}

  /** The seqs of all snapshots, the newest first. */
  static List<Long> newestFirst(Connection connection) throws SQLException {
    List<Long> seqs = new ArrayList<>();
    try (PreparedStatement select =
            connection.prepareStatement("SELECT seq FROM snapshots ORDER BY seq DESC");
        ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        seqs.add(rows.getLong(1));
      }
    }
    return seqs;
  }

  static Optional<Stored> find(Connection connection, long seq) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT journal_hash, checksum, payload FROM snapshots WHERE seq = ?")) {
      select.setLong(1, seq);
      try (ResultSet rows = select.executeQuery()) {
        if (!rows.next()) {
          return Optional.empty();
        }
        JournalHead at = new JournalHead(seq, rows.getBytes(1));
        return Optional.of(new Stored(at, rows.getBytes(2), rows.getBytes(3)));
      }
    }
  }

  /** Writes one, unless another replica has, and removes all but the newest. */
  static void write(Connection connection, Stored snapshot, int kept) throws SQLException {
    try (PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO snapshots (seq, journal_hash, checksum, payload) VALUES (?, ?, ?, ?)"
                    + " ON CONFLICT (seq) DO NOTHING");
        PreparedStatement delete =
            connection.prepareStatement(
                "DELETE FROM snapshots WHERE seq NOT IN"
                    + " (SELECT seq FROM snapshots ORDER BY seq DESC LIMIT "
                    + kept
                    + ")")) {
      insert.setLong(1, snapshot.at().seq());
      insert.setBytes(2, snapshot.at().hash());
      insert.setBytes(3, snapshot.checksum());
      insert.setBytes(4, snapshot.payload());
      insert.executeUpdate();
      delete.executeUpdate();
    }
  }
}
