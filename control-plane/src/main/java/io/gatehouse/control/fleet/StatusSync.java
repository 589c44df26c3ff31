package io.gatehouse.control.fleet;

import io.gatehouse.control.fleet.StatusTable.Replica;
import io.gatehouse.control.fleet.StatusTable.Row;
import io.gatehouse.control.journal.JournalConfig;
import io.gatehouse.control.journal.JournalException;
import io.gatehouse.model.name.DpuName;
import java.lang.Thread.UncaughtExceptionHandler;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the store and the tables in step, on a thread of its own: writes what has changed here, in
 * batches, and reads what other control planes have written. While the database is away statuses
 * are kept in memory; the agents' streams do not notice.
 */
public final class StatusSync implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StatusSync.class);
  private static final Duration ROUND = Duration.ofMillis(50);
  private static final int ROUNDS_PER_POLL = 4;
  private static final int ROUNDS_PER_BEAT = 20;
  private static final int BATCH = 500;
  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(6);
  private static final long FORGOTTEN_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final long CLOSE_MILLIS = 5_000;

  /** What was seen of another control plane. */
  private record Seen(long beat, long lastWrite, long sinceNanos, boolean moved) {}

  /** A row that is in the table, and the number of its stream. */
  private record Written(Row row, long epoch) {}

  private final String replica;
  private final StatusDatabase database;
  private final DpuStatusStore store;
  private final Map<String, Seen> others = new HashMap<>();
  private final Thread thread;
  private long beat;
  private long writes;
  private boolean failing;
  private volatile boolean closed;

  /**
   * Not yet started.
   *
   * @param replica id of this control plane, as the store has it
   * @param journal whose database has the tables, too
   * @param onBug told what the thread throws: a bug
   */
  public StatusSync(
      String replica, JournalConfig journal, DpuStatusStore store, UncaughtExceptionHandler onBug) {
    this.replica = replica;
    this.database = new StatusDatabase(journal);
    this.store = store;
    this.thread = new Thread(this::run, "dpu-status");
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler(onBug);
  }

  /**
   * Reads all that is known, then keeps in step until closed.
   *
   * @throws JournalException if the tables cannot be made or read
   */
  public void start() {
    try {
      database.inTransaction(
          connection -> {
            StatusTable.create(connection);
            StatusTable.beat(connection, replica, new Replica(beat, writes));
            for (Row row : StatusTable.all(connection)) {
              store.merge(row.dpu(), row.state());
            }
          });
    } catch (SQLException e) {
      throw new JournalException(
          "the statuses at " + database + " cannot be read: " + e.getMessage(), e);
    }
    thread.start();
  }

  /** Writes what is left and ends the thread. */
  @Override
  public void close() {
    closed = true;
    try {
      thread.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    database.close();
  }

  private void run() {
    for (long round = 1; !closed; round++) {
      pause();
      boolean beats = round % ROUNDS_PER_BEAT == 0;
      if (store.hasDirty() || beats) {
        attempt(this::write);
      }
      if (round % ROUNDS_PER_POLL == 0) {
        attempt(this::read);
      }
    }
    attempt(this::write);
    attempt(connection -> StatusTable.forget(connection, replica));
  }

  private void write(Connection connection) throws SQLException {
    List<DpuName> dpus = store.takeDirty(BATCH);
    List<Row> superseded = new ArrayList<>();
    List<Written> written = new ArrayList<>();
    try {
      for (DpuName dpu : dpus) {
        write(connection, new Row(dpu, store.state(dpu)), written, superseded);
      }
      StatusTable.beat(connection, replica, new Replica(++beat, writes));
      connection.commit();
    } catch (SQLException e) {
      store.notWritten(dpus);
      throw e;
    }
    written.forEach(w -> store.written(w.row().dpu(), w.row().state(), w.epoch()));
    superseded.forEach(row -> endSession(row.state()));
  }

  private void write(Connection connection, Row row, List<Written> written, List<Row> superseded)
      throws SQLException {
    DpuState.Holder holder = row.state().holder();
    if (holder.replica().isEmpty()) {
      StatusTable.delete(connection, row.dpu());
      return;
    }
    if (!holder.replica().equals(replica)) {
      return;
    }
    if (holder.epoch() == 0) {
      written.add(new Written(row, StatusTable.connect(connection, row, ++writes)));
      return;
    }
    if (StatusTable.update(connection, row, ++writes)) {
      written.add(new Written(row, holder.epoch()));
      return;
    }
    superseded.add(row);
  }

  private static void endSession(DpuState state) {
    var session = state.holder().session();
    if (session != null) {
      session.replacedElsewhere();
    }
  }

  private void read(Connection connection) throws SQLException {
    Map<String, Replica> rows = StatusTable.replicas(connection);
    rows.remove(replica);
    for (Map.Entry<String, Replica> other : rows.entrySet()) {
      follow(connection, other.getKey(), other.getValue());
    }
    others.keySet().removeIf(id -> !rows.containsKey(id) && gone(id));
  }

  private boolean gone(String other) {
    store.silent(other);
    return true;
  }

  private void follow(Connection connection, String other, Replica row) throws SQLException {
    long now = System.nanoTime();
    Seen before = others.getOrDefault(other, new Seen(row.beat(), -1, now, false));
    boolean moves = before.beat() != row.beat();
    Seen after =
        new Seen(
            row.beat(),
            row.lastWrite(),
            moves ? now : before.sinceNanos(),
            moves || before.moved());
    if (row.lastWrite() != before.lastWrite()) {
      for (Row written : StatusTable.writtenAfter(connection, other, before.lastWrite())) {
        store.merge(written.dpu(), written.state());
      }
    }
    others.put(other, after);
    if (after.moved() && now - after.sinceNanos() < SILENCE_NANOS) {
      store.alive(other);
      return;
    }
    store.silent(other);
    if (now - after.sinceNanos() > FORGOTTEN_NANOS) {
      StatusTable.forget(connection, other);
    }
  }

  private void attempt(StatusDatabase.Work work) {
    try {
      database.inTransaction(work);
      failing = false;
    } catch (SQLException e) {
      if (!failing) {
        LOG.warn("statuses are kept in memory only: {}", e.getMessage());
      }
      failing = true;
    }
  }

  private static void pause() {
    try {
      // A pause between rounds of polling; other replicas send no event.
      TimeUnit.NANOSECONDS.sleep(ROUND.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
