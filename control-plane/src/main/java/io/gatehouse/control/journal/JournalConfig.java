package io.gatehouse.control.journal;

import io.gatehouse.model.net.InvalidValueException;
import java.time.Duration;

/**
 * Where the journal is.
 *
 * @param jdbcUrl {@code jdbc:sqlite:FILE} or {@code jdbc:postgresql://HOST:PORT/DATABASE}
 * @param user for PostgreSQL; empty: as the URL says
 * @param password for PostgreSQL; empty: as the URL says
 * @param snapshotEvery entries between two snapshots
 * @param timeout for a connection, and for each statement on PostgreSQL
 */
public record JournalConfig(
    String jdbcUrl, String user, String password, int snapshotEvery, Duration timeout) {
  public static final int DEFAULT_SNAPSHOT_EVERY = 1_000;
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

  public JournalConfig {
    if (snapshotEvery < 1) {
      throw new InvalidValueException("snapshot_every", snapshotEvery, "is not 1 or more");
    }
  }

  /** The defaults for a URL. */
  public static JournalConfig of(String jdbcUrl) {
    return new JournalConfig(jdbcUrl, "", "", DEFAULT_SNAPSHOT_EVERY, DEFAULT_TIMEOUT);
  }

  public JournalConfig withSnapshotEvery(int entries) {
    return new JournalConfig(jdbcUrl, user, password, entries, timeout);
  }

  /** Without secrets: URLs may carry a password, too. */
  @Override
  public String toString() {
    return "JournalConfig[" + withoutSecrets() + "]";
  }

  /** The URL without its parameters. */
  public String withoutSecrets() {
    int parameters = jdbcUrl.indexOf('?');
    return parameters < 0 ? jdbcUrl : jdbcUrl.substring(0, parameters);
  }
}
