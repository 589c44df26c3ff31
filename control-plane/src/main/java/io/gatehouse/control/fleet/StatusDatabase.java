package io.gatehouse.control.fleet;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.gatehouse.control.journal.JournalConfig;

/** Connections for {@link StatusSync} to the database of the journal, apart from the journal's. */
public final class StatusDatabase {
  private static final String SQLITE_URL = "jdbc:sqlite:";

  private StatusDatabase() {}

  /** A small pool; it connects when it is used. The journal has made a SQLite file before. */
  public static HikariDataSource open(JournalConfig journal) {
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
      return new HikariDataSource(config);
    }
    if (!journal.user().isEmpty()) {
      config.setUsername(journal.user());
      config.setPassword(journal.password());
    }
    String seconds = Long.toString(Math.max(1, journal.timeout().toSeconds()));
    config.addDataSourceProperty("connectTimeout", seconds);
    config.addDataSourceProperty("socketTimeout", seconds);
    config.addDataSourceProperty("ApplicationName", "gatehouse-status");
    return new HikariDataSource(config);
  }
}
