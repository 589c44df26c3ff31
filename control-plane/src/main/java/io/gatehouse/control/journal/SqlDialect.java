package io.gatehouse.control.journal;

import com.zaxxer.hikari.HikariConfig;
import io.gatehouse.model.net.InvalidValueException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/** What differs between the engines. */
enum SqlDialect {
  /** One file, one process: WAL, and every commit is on the disk before it is answered. */
  SQLITE("INTEGER", "BLOB"),
  /** PostgreSQL 15, or what speaks its protocol: any number of control planes. */
  POSTGRESQL("BIGINT", "BYTEA");

  private static final String SQLITE_URL = "jdbc:sqlite:";
  private static final String POSTGRESQL_URL = "jdbc:postgresql:";
  private static final int POSTGRESQL_POOL = 4;

  /** A violated primary key: SQLite's extended code, the SQL state of the standard. */
  private static final int SQLITE_CONSTRAINT = 19;

  private static final int SQLITE_CORRUPT = 11;
  private static final int SQLITE_NOT_A_DATABASE = 26;

  private static final String UNIQUE_VIOLATION = "23505";
  private static final String SERIALIZATION_FAILURE = "40001";

  /** Data corrupted, index corrupted. */
  private static final Set<String> DAMAGED = Set.of("XX001", "XX002");

  private final String longType;
  private final String bytesType;

  SqlDialect(String longType, String bytesType) {
    this.longType = longType;
    this.bytesType = bytesType;
  }

  static SqlDialect of(String jdbcUrl) {
    if (jdbcUrl.startsWith(SQLITE_URL)) {
      return SQLITE;
    }
    if (jdbcUrl.startsWith(POSTGRESQL_URL)) {
      return POSTGRESQL;
    }
    throw new InvalidValueException(
        "url", jdbcUrl, "starts with neither " + SQLITE_URL + " nor " + POSTGRESQL_URL);
  }

  /** A statement with the engine's own names of types. */
  String ddl(String template) {
    return template.replace("{long}", longType).replace("{bytes}", bytesType);
  }

  /** The isolation under which a long read sees one state of the database. */
  int snapshotIsolation() {
    return this == SQLITE
        ? Connection.TRANSACTION_SERIALIZABLE
        : Connection.TRANSACTION_REPEATABLE_READ;
  }

  /** True if somebody else took the row or the lock first. */
  boolean isConflict(SQLException e) {
    if (this == SQLITE) {
      return (e.getErrorCode() & 0xff) == SQLITE_CONSTRAINT;
    }
    return UNIQUE_VIOLATION.equals(e.getSQLState())
        || SERIALIZATION_FAILURE.equals(e.getSQLState());
  }

  /** True if the engine says that its file is not what it has written. */
  boolean isDamaged(SQLException e) {
    if (this == SQLITE) {
      int code = e.getErrorCode() & 0xff;
      return code == SQLITE_CORRUPT || code == SQLITE_NOT_A_DATABASE;
    }
    return DAMAGED.contains(String.valueOf(e.getSQLState()));
  }

  /**
   * Settings of the connection pool.
   *
   * @throws JournalException if a new SQLite file cannot be made
   */
  HikariConfig pool(JournalConfig journal) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("journal");
    config.setJdbcUrl(journal.jdbcUrl());
    config.setConnectionTimeout(journal.timeout().toMillis());
    config.setValidationTimeout(Math.min(journal.timeout().toMillis(), 1_000));
    config.setInitializationFailTimeout(-1);
    if (this == SQLITE) {
      createPrivately(Path.of(journal.jdbcUrl().substring(SQLITE_URL.length())));
      config.setMaximumPoolSize(1);
      config.addDataSourceProperty("journal_mode", "WAL");
      config.addDataSourceProperty("synchronous", "FULL");
      config.addDataSourceProperty("transaction_mode", "IMMEDIATE");
      config.addDataSourceProperty("busy_timeout", Long.toString(journal.timeout().toMillis()));
      return config;
    }
    if (!journal.user().isEmpty()) {
      config.setUsername(journal.user());
      config.setPassword(journal.password());
    }
    config.setMaximumPoolSize(POSTGRESQL_POOL);
    String seconds = Long.toString(Math.max(1, journal.timeout().toSeconds()));
    config.addDataSourceProperty("connectTimeout", seconds);
    config.addDataSourceProperty("socketTimeout", seconds);
    config.addDataSourceProperty("ApplicationName", "gatehouse");
    return config;
  }

  /** SQLite gives its side files the permissions of the database. */
  private static void createPrivately(Path file) {
    try {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (FileAlreadyExistsException e) {
      return;
    } catch (IOException e) {
      throw new JournalException("the journal's file " + file + " cannot be made", e);
    }
  }
}
