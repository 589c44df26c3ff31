package io.gatehouse.control.audit;

import io.gatehouse.control.auth.RefusalLog;
import io.gatehouse.control.journal.JournalCorruptException;
import io.gatehouse.control.journal.JournalException;
import io.gatehouse.control.journal.RefusalChain;
import io.gatehouse.proto.storage.v1.RefusalEntry;
import io.gatehouse.wire.TimeWire;
import io.grpc.Status;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes refusals into their chain, on its own thread. Those who refuse never wait: what finds the
 * queue full, because the storage is away, is counted, and the count is written later. A crash
 * loses the repeats of the last minute, never the first of a kind that was written.
 */
public final class RefusalRecorder implements RefusalLog, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RefusalRecorder.class);
  private static final int QUEUE = 1_024;
  private static final int BATCH = 256;
  private static final long TICK_MILLIS = 1_000;
  private static final long CLOSE_MILLIS = 10_000;
  private static final String LOST = "more refusals than could be kept";

  private final Consumer<List<RefusalEntry>> chain;
  private final InstantSource clock;
  private final Thread thread = new Thread(this::run, "audit-refusals");
  private final Object lock = new Object();
  private final RefusalWindow window = new RefusalWindow();
  private final Queue<RefusalEntry> queue = new ArrayDeque<>();

  /** Permits: something may have happened. */
  private final Semaphore wakeUps = new Semaphore(0);

  private long lost;
  private boolean closed;

  /** A recorder; {@link #start} sets it to work. */
  public RefusalRecorder(RefusalChain chain, InstantSource clock) {
    this(chain::append, clock);
  }

  RefusalRecorder(Consumer<List<RefusalEntry>> chain, InstantSource clock) {
    this.chain = chain;
    this.clock = clock;
  }

  public void start() {
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void refused(String actor, String action, String subject, Status status) {
    Instant now = clock.instant();
    String reason = status.getDescription();
    RefusalEntry refusal =
        RefusalEntry.newBuilder()
            .setActor(actor)
            .setAction(action)
            .setSubject(subject)
            .setCode(status.getCode().name())
            .setReason(reason == null ? "" : reason)
            .build();
    synchronized (lock) {
      window.add(refusal, now).ifPresent(this::enqueue);
    }
    wakeUps.release();
  }

  /** Writes what waits, also the repeats of minutes that are not over. */
  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
    }
    wakeUps.release();
    try {
      thread.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void enqueue(RefusalEntry entry) {
    if (queue.size() >= QUEUE) {
      lost += entry.getCount();
      return;
    }
    queue.add(entry);
  }

  private void run() {
    try {
      boolean last = false;
      boolean written = true;
      while (!last || (written && hasMore())) {
        List<RefusalEntry> batch = new ArrayList<>();
        last = next(batch, written);
        written = batch.isEmpty() || write(batch);
      }
    } catch (InterruptedException e) {
      LOG.warn("the audit of refusals was interrupted");
    }
  }

  private boolean hasMore() {
    synchronized (lock) {
      return !queue.isEmpty();
    }
  }

  /**
   * Waits for something to write, and at most for a tick.
   *
   * @param batch gets it; it stays in the queue until it is written
   * @return true if nothing more comes
   */
  private boolean next(List<RefusalEntry> batch, boolean written) throws InterruptedException {
    if (!written || !hasMore()) {
      if (wakeUps.tryAcquire(TICK_MILLIS, TimeUnit.MILLISECONDS)) {
        wakeUps.drainPermits();
      }
    }
    synchronized (lock) {
      Instant now = clock.instant();
      (closed ? window.all() : window.over(now)).forEach(this::enqueue);
      if (lost > 0 && queue.size() < QUEUE) {
        queue.add(
            RefusalEntry.newBuilder()
                .setActor("system/audit")
                .setAction("several")
                .setCode(Status.Code.RESOURCE_EXHAUSTED.name())
                .setReason(LOST)
                .setTime(TimeWire.toProto(now))
                .setCount(lost)
                .build());
        lost = 0;
      }
      queue.stream().limit(BATCH).forEach(batch::add);
      return closed;
    }
  }

  private boolean write(List<RefusalEntry> batch) {
    try {
      chain.accept(batch);
    } catch (JournalException | JournalCorruptException e) {
      LOG.warn("refused calls cannot be recorded now: {}", e.getMessage());
      return false;
    }
    synchronized (lock) {
      batch.forEach(entry -> queue.remove());
    }
    return true;
  }
}
