package io.gatehouse.control.journal;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for PostgreSQL's notifications on a connection and thread of its own. A lost notification
 * costs only time: whoever is woken also polls.
 */
final class PostgresListener implements AutoCloseable {
  static final String CHANNEL = "gatehouse_journal";

  private static final Logger LOG = LoggerFactory.getLogger(PostgresListener.class);
  private static final int WAIT_MILLIS = 1_000;
  private static final long RETRY_MILLIS = 1_000;

  private final JournalConfig config;
  private final Runnable wakeUp;
  private final Thread thread;
  private volatile boolean closed;

  PostgresListener(JournalConfig config, Runnable wakeUp) {
    this.config = config;
    this.wakeUp = wakeUp;
    this.thread = new Thread(this::run, "journal-listener");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    while (!closed) {
      try (Connection connection = connect()) {
        listen(connection);
      } catch (SQLException e) {
        LOG.debug("notifications are lost, polling goes on: {}", e.getMessage());
        pause();
      }
    }
  }

  private void listen(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("LISTEN " + CHANNEL);
    }
    PGConnection postgres = connection.unwrap(PGConnection.class);
    while (!closed) {
      PGNotification[] notifications = postgres.getNotifications(WAIT_MILLIS);
      if (notifications != null && notifications.length > 0) {
        wakeUp.run();
      }
    }
  }

  private Connection connect() throws SQLException {
    Properties properties = new Properties();
    if (!config.user().isEmpty()) {
      properties.setProperty("user", config.user());
      properties.setProperty("password", config.password());
    }
    properties.setProperty("connectTimeout", Long.toString(config.timeout().toSeconds()));
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("ApplicationName", "gatehouse-listener");
    return DriverManager.getConnection(config.jdbcUrl(), properties);
  }

  private void pause() {
    try {
      // A pause before the next attempt to connect.
      Thread.sleep(RETRY_MILLIS);
    } catch (InterruptedException e) {
      closed = true;
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
