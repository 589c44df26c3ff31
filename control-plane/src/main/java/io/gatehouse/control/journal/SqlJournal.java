package io.gatehouse.control.journal;

import com.google.protobuf.ByteString;
import com.zaxxer.hikari.HikariDataSource;
import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.journal.JournalLoader.Loaded;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A journal in an SQL database: SQLite for one control plane, PostgreSQL for several. Who moves the
 * row {@code journal_head} first, wins; the rest of the transaction follows it.
 *
 * <p>{@link #load}, {@link #append}, {@link #readNew} and {@link #offerSnapshot} are for one
 * thread.
 */
public final class SqlJournal implements Journal, Chain {
  private final JournalConfig config;
  private final SqlDialect dialect;
  private final HikariDataSource connections;
  private final SnapshotWriter snapshots;
  private JournalHead head = JournalHead.start();
  private @Nullable PostgresListener listener;

  private SqlJournal(JournalConfig config, SqlDialect dialect) {
    this.config = config;
    this.dialect = dialect;
    this.connections = new HikariDataSource(dialect.pool(config));
    this.snapshots = new SnapshotWriter(connections, config.snapshotEvery());
  }

  /**
   * Opens a journal; connects only when it is used.
   *
   * @throws io.gatehouse.model.net.InvalidValueException if the URL is of no engine known here
   */
  public static SqlJournal open(JournalConfig config) {
    return new SqlJournal(config, SqlDialect.of(config.jdbcUrl()));
  }

  @Override
  public Image load() {
    Loaded loaded =
        call(
            "loaded",
            connection -> {
              new Schema(dialect).migrate(connection);
              connection.setTransactionIsolation(dialect.snapshotIsolation());
              return new JournalLoader(connection).load();
            });
    head = loaded.head();
    snapshots.startAfter(loaded.snapshotSeq());
    return loaded.image();
  }

  @Override
  public void append(List<Entry> entries) throws ConflictException {
    List<byte[]> payloads = new ArrayList<>(entries.size());
    JournalHead end = head;
    for (Entry entry : entries) {
      if (entry.revision() != end.seq() + 1) {
        throw new IllegalArgumentException(
            "revision " + entry.revision() + " does not follow " + end.seq());
      }
      byte[] payload = EntryCodec.encode(entry);
      payloads.add(payload);
      end = end.next(payload);
    }
    JournalHead next = end;
    if (!call("appended to", connection -> append(connection, payloads, next))) {
      throw new ConflictException("revision " + (head.seq() + 1) + " was taken by another replica");
    }
    head = next;
  }

  private boolean append(Connection connection, List<byte[]> payloads, JournalHead next)
      throws SQLException {
    try {
      if (!ChainRows.JOURNAL.moveHead(connection, head, next)) {
        return false;
      }
      ChainRows.JOURNAL.insert(connection, head, payloads);
      if (dialect == SqlDialect.POSTGRESQL) {
        try (Statement notify = connection.createStatement()) {
          notify.execute("NOTIFY " + PostgresListener.CHANNEL);
        }
      }
      connection.commit();
      return true;
    } catch (SQLException e) {
      if (dialect.isConflict(e)) {
        return false;
      }
      throw e;
    }
  }

  @Override
  public List<Entry> readNew(int limit) {
    return call(
        "read",
        connection -> {
          JournalHead end = ChainRows.JOURNAL.head(connection);
          if (end.matches(head)) {
            return List.of();
          }
          checkStillOurs(end);
          List<Entry> entries = new ArrayList<>();
          head =
              ChainRows.JOURNAL.read(
                  connection,
                  head,
                  limit,
                  (seq, payload) -> entries.add(EntryCodec.decode(seq, payload)));
          return entries;
        });
  }

  /** A journal that ends before what was read from it is another one: a restored copy, say. */
  private void checkStillOurs(JournalHead end) {
    if (end.seq() <= head.seq()) {
      throw new JournalCorruptException(
          end.seq(),
          "the journal was replaced under this control plane: it ends at row "
              + end.seq()
              + ", and row "
              + head.seq()
              + " was read from it"
              + JournalCorruptException.REMEDY);
    }
  }

  @Override
  public List<Entry> readAfter(long revision, int limit) {
    return call(
        "read",
        connection -> {
          List<Entry> entries = new ArrayList<>();
          if (revision < ChainRows.JOURNAL.head(connection).seq()) {
            ChainRows.JOURNAL.read(
                connection,
                ChainRows.JOURNAL.at(connection, revision),
                limit,
                (seq, payload) -> entries.add(EntryCodec.decode(seq, payload)));
          }
          return entries;
        });
  }

  /** The chain of refused calls, in the same database. */
  public RefusalChain refusals() {
    return new RefusalChain(this);
  }

  @Override
  public List<Row> rows(long after, int limit) {
    return stored(ChainRows.JOURNAL, after, limit);
  }

  @Override
  public Check check() {
    return check(ChainRows.JOURNAL);
  }

  @Override
  public long verify() {
    Check check = check();
    if (!check.problem().isEmpty()) {
      String problem = check.problem();
      throw new JournalCorruptException(
          check.intactRows() + 1, problem.substring(problem.indexOf(": ") + 2));
    }
    return check.intactRows();
  }

  List<Row> stored(ChainRows table, long after, int limit) {
    return call("read", connection -> table.stored(connection, after, limit));
  }

  /** Reads a chain in pages, so that who appends is not kept waiting. */
  Check check(ChainRows table) {
    JournalHead at = JournalHead.start();
    try {
      while (true) {
        JournalHead from = at;
        at = call("verified", connection -> page(connection, table, from));
        if (at.matches(from)) {
          return new Check(at.seq(), ByteString.copyFrom(at.hash()), "");
        }
      }
    } catch (JournalCorruptException e) {
      long intact = Math.max(0, e.seq() - 1);
      JournalHead last = call("read", connection -> table.at(connection, intact));
      return new Check(intact, ByteString.copyFrom(last.hash()), problem(e));
    }
  }

  private JournalHead page(Connection connection, ChainRows table, JournalHead from)
      throws SQLException {
    connection.setTransactionIsolation(dialect.snapshotIsolation());
    JournalHead end = table.head(connection);
    JournalHead at = table.read(connection, from, VERIFIED_PAGE, (seq, payload) -> {});
    if (at.matches(from)) {
      table.checkEnd(at, end);
    }
    return at;
  }

  private static String problem(JournalCorruptException e) {
    String text = String.valueOf(e.getMessage()).replace(JournalCorruptException.REMEDY, "");
    return "row " + e.seq() + ": " + text;
  }

  /**
   * Appends to a chain that several processes append to, behind whatever is its end then.
   *
   * @return false if another was faster: try again
   */
  boolean appendAnywhere(ChainRows table, List<byte[]> payloads) {
    return call(
        "appended to",
        connection -> {
          try {
            JournalHead from = table.head(connection);
            JournalHead to = from;
            for (byte[] payload : payloads) {
              to = to.next(payload);
            }
            if (!table.moveHead(connection, from, to)) {
              return false;
            }
            table.insert(connection, from, payloads);
            connection.commit();
            return true;
          } catch (SQLException e) {
            if (dialect.isConflict(e)) {
              return false;
            }
            throw e;
          }
        });
  }

  @Override
  public void onChange(Runnable wakeUp) {
    if (dialect == SqlDialect.POSTGRESQL && listener == null) {
      listener = new PostgresListener(config, wakeUp);
      listener.start();
    }
  }

  @Override
  public void offerSnapshot(Image image) {
    if (image.revision() != head.seq()) {
      throw new IllegalArgumentException(
          "revision " + image.revision() + " is not the head, " + head.seq());
    }
    snapshots.offer(image, head);
  }

  @Override
  public void close() {
    if (listener != null) {
      listener.close();
    }
    snapshots.close();
    connections.close();
  }

  /** Work on a connection in a transaction; what is not committed is rolled back. */
  @FunctionalInterface
  private interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  private <T> T call(String done, Work<T> work) {
    try (Connection connection = connections.getConnection()) {
      connection.setAutoCommit(false);
      T result;
      try {
        result = work.on(connection);
      } catch (SQLException | RuntimeException e) {
        rollBack(connection, e);
        throw e;
      }
      connection.rollback();
      return result;
    } catch (SQLException e) {
      throw failure(done, e);
    }
  }

  /** A broken connection cannot even roll back; what broke it is the cause to tell. */
  private static void rollBack(Connection connection, Exception cause) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  private RuntimeException failure(String done, SQLException e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String where = "the journal at " + config.withoutSecrets();
    if (root instanceof SQLException sql && dialect.isDamaged(sql)) {
      return new JournalCorruptException(
          head.seq(), where + " is damaged: " + sql.getMessage() + JournalCorruptException.REMEDY);
    }
    return new JournalException(where + " cannot be " + done + ": " + root.getMessage(), e);
  }
}
