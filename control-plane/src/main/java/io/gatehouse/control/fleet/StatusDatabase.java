package io.gatehouse.control.fleet;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.gatehouse.control.journal.JournalConfig;
import java.sql.Connection;
import java.sql.SQLException;

/** Connections to the database of the journal, apart from the journal's own. */
final class StatusDatabase implements AutoCloseable {
  private static final String SQLITE_URL = "jdbc:sqlite:";

  private final JournalConfig journal;
  private final HikariDataSource connections;

  /** Connects when it is used; the journal has made a SQLite file before. */
  StatusDatabase(JournalConfig journal) {
    this.journal = journal;
    this.connections = new HikariDataSource(settings(journal));
  }

  /** Work in a transaction of its own. */
  @FunctionalInterface
  interface Work {
    void on(Connection connection) throws SQLException;
  }

  /** Does the work and commits; what fails is rolled back. */
  void inTransaction(Work work) throws SQLException {
    try (Connection connection = connections.getConnection()) {
      connection.setAutoCommit(false);
      try {
        work.on(connection);
        connection.commit();
      } catch (SQLException | RuntimeException e) {
        connection.rollback();
        throw e;
      }
    }
  }

  /** Where it is, without secrets. */
  @Override
  public String toString() {
    return journal.withoutSecrets();
  }

  @Override
  public void close() {
    connections.close();
  }

  private static HikariConfig settings(JournalConfig journal) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("dpu-status");
    config.setJdbcUrl(journal.jdbcUrl());
    config.setMaximumPoolSize(1);
    config.setConnectionTimeout(journal.timeout().toMillis());
    config.setInitializationFailTimeout(-1);
    if (journal.jdbcUrl().startsWith(SQLITE_URL)) {
      config.addDataSourceProperty("journal_mode", "WAL");
      // Agents report again what a power failure takes: no need to wait for the disk.
      config.addDataSourceProperty("synchronous", "NORMAL");
      config.addDataSourceProperty("busy_timeout", Long.toString(journal.timeout().toMillis()));
      return config;
    }
    if (!journal.user().isEmpty()) {
      config.setUsername(journal.user());
      config.setPassword(journal.password());
    }
    String seconds = Long.toString(Math.max(1, journal.timeout().toSeconds()));
    config.addDataSourceProperty("connectTimeout", seconds);
    config.addDataSourceProperty("socketTimeout", seconds);
    config.addDataSourceProperty("ApplicationName", "gatehouse-status");
    return config;
  }
}
