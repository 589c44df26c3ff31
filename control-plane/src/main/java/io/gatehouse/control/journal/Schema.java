package io.gatehouse.control.journal;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The tables, and the steps that bring older ones up to date. Steps are only ever added. */
final class Schema {
  /** Step n, from 1, leads from version n-1 to version n. */
  private static final List<List<String>> STEPS =
      List.of(
          List.of(
              "CREATE TABLE journal (seq {long} PRIMARY KEY, prev_hash {bytes} NOT NULL,"
                  + " hash {bytes} NOT NULL, payload {bytes} NOT NULL)",
              "CREATE TABLE journal_head (id INTEGER PRIMARY KEY CHECK (id = 1),"
                  + " seq {long} NOT NULL, hash {bytes} NOT NULL)",
              "CREATE TABLE snapshots (seq {long} PRIMARY KEY, journal_hash {bytes} NOT NULL,"
                  + " checksum {bytes} NOT NULL, payload {bytes} NOT NULL)"),
          List.of(
              "CREATE TABLE refusals (seq {long} PRIMARY KEY, prev_hash {bytes} NOT NULL,"
                  + " hash {bytes} NOT NULL, payload {bytes} NOT NULL)",
              "CREATE TABLE refusals_head (id INTEGER PRIMARY KEY CHECK (id = 1),"
                  + " seq {long} NOT NULL, hash {bytes} NOT NULL)"));

  /** The chains that a step begins, by step from 0. */
  private static final List<ChainRows> BEGUN = List.of(ChainRows.JOURNAL, ChainRows.REFUSALS);

  /** Any number that no other program on the database uses: "gate" in ASCII. */
  private static final long LOCK = 0x6761_7465L;

  private final SqlDialect dialect;

  Schema(SqlDialect dialect) {
    this.dialect = dialect;
  }

  /**
   * Brings the tables up to date, in one transaction; safe when several processes do it at once.
   *
   * @throws JournalException if the tables are of a newer version than this program
   */
  void migrate(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      if (dialect == SqlDialect.POSTGRESQL) {
        statement.execute("SELECT pg_advisory_xact_lock(" + LOCK + ")");
      }
      statement.execute("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)");
      int version = version(statement);
      if (version > STEPS.size()) {
        throw new JournalException(
            "the journal's tables are of version "
                + version
                + ", this program knows up to "
                + STEPS.size()
                + ": start the newer program");
      }
      for (int step = version; step < STEPS.size(); step++) {
        apply(connection, statement, step);
      }
      connection.commit();
    } catch (SQLException | RuntimeException e) {
      connection.rollback();
      throw e;
    }
  }

  private void apply(Connection connection, Statement statement, int step) throws SQLException {
    for (String template : STEPS.get(step)) {
      statement.execute(dialect.ddl(template));
    }
    if (step < BEGUN.size()) {
      BEGUN.get(step).insertHead(connection, 0, HashChain.start());
    }
    statement.execute("DELETE FROM schema_version");
    statement.execute("INSERT INTO schema_version (version) VALUES (" + (step + 1) + ")");
  }

  private static int version(Statement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery("SELECT MAX(version) FROM schema_version")) {
      return rows.next() ? rows.getInt(1) : 0;
    }
  }
}
