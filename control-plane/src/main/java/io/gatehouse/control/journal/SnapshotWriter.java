package io.gatehouse.control.journal;

import io.gatehouse.control.image.Image;
import io.gatehouse.control.journal.SnapshotRows.Stored;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a snapshot every so many entries, one at a time, on its own thread. A snapshot only
 * shortens the next start: one that fails is logged, and the next one comes.
 */
final class SnapshotWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotWriter.class);

  private static final int KEPT = 2;
  private static final long CLOSE_SECONDS = 10;

  private final DataSource connections;
  private final int every;
  private final ExecutorService thread;
  private final AtomicBoolean writing = new AtomicBoolean();
  private long lastSeq;

  SnapshotWriter(DataSource connections, int every) {
    this.connections = connections;
    this.every = every;
    this.thread =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread created = new Thread(task, "journal-snapshots");
              created.setDaemon(true);
              return created;
            });
  }

  /** Says where the newest snapshot is, once the journal is loaded. */
  void startAfter(long seq) {
    lastSeq = seq;
  }

  /** Writes the image, if one is due and none is being written. Called by one thread only. */
  void offer(Image image, JournalHead at) {
    if (at.seq() - lastSeq < every || !writing.compareAndSet(false, true)) {
      return;
    }
    lastSeq = at.seq();
    thread.execute(
        () -> {
          try {
            write(image, at);
          } finally {
            writing.set(false);
          }
        });
  }

  private void write(Image image, JournalHead at) {
    byte[] payload = SnapshotCodec.encode(image);
    try (Connection connection = connections.getConnection()) {
      connection.setAutoCommit(false);
      SnapshotRows.write(connection, new Stored(at, HashChain.checksum(payload), payload), KEPT);
      connection.commit();
      LOG.info("snapshot of revision {} written, {} bytes", at.seq(), payload.length);
    } catch (SQLException e) {
      LOG.warn("no snapshot of revision {} was written: {}", at.seq(), e.getMessage());
    }
  }

  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("a snapshot was still being written after {} s", CLOSE_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
