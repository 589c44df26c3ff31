package io.gatehouse.control.sequencer;

import io.gatehouse.control.decide.Command;
import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.journal.ConflictException;
import io.gatehouse.control.journal.Journal;
import io.gatehouse.control.journal.JournalException;
import io.gatehouse.control.sequencer.UnavailableException.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sequencer on a journal. Its thread takes what waits, decides it on the image, appends all of
 * it in one transaction, and only then shows the new image, tells the listeners and answers. When
 * another replica was faster, it reads that replica's entries and decides again.
 *
 * <p>A bug, or a journal that is no longer the one that was read, ends the thread: everything that
 * waits is answered, and the thread's uncaught exception handler is told.
 */
public final class JournalSequencer implements Sequencer, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JournalSequencer.class);

  private static final int READ_LIMIT = 1_000;
  private static final int CONFLICT_LIMIT = 100;
  private static final long CLOSE_MILLIS = 10_000;

  private final Journal journal;
  private final SequencerConfig config;
  private final BlockingQueue<Waiting> queue;

  /** One permit: something may have happened, here or elsewhere. */
  private final Semaphore wakeUps = new Semaphore(0);

  private final List<CommitListener> listeners = new CopyOnWriteArrayList<>();
  private final Object publishing = new Object();
  private final Thread thread;

  /** Set where the journal may have entries that the image has not. */
  private volatile boolean behind;

  private long caughtUpNanos = System.nanoTime();
  private volatile Image image;
  private volatile String problem = "";
  private volatile boolean stopped;

  /**
   * A sequencer; {@link #start} sets it to work.
   *
   * @param image as loaded from the journal
   */
  public JournalSequencer(Journal journal, Image image, SequencerConfig config) {
    this.journal = journal;
    this.image = image;
    this.config = config;
    this.queue = new ArrayBlockingQueue<>(config.queueCapacity());
    this.thread = new Thread(this::run, "sequencer");
  }

  public void start() {
    journal.onChange(
        () -> {
          behind = true;
          wake();
        });
    thread.start();
  }

  @Override
  public CompletableFuture<Committed> submit(Command command) {
    CompletableFuture<Committed> answer = new CompletableFuture<>();
    if (!queue.offer(new Waiting(command, answer))) {
      return CompletableFuture.failedFuture(
          new UnavailableException(
              Kind.OVERLOADED, config.queueCapacity() + " changes wait already: try again later"));
    }
    wake();
    if (stopped) {
      refuseWaiting(Kind.STOPPED, stopReason());
    }
    return answer;
  }

  @Override
  public Image image() {
    return image;
  }

  @Override
  public Image listen(CommitListener listener) {
    synchronized (publishing) {
      listeners.add(listener);
      return image;
    }
  }

  @Override
  public SequencerHealth health() {
    String now = stopped ? stopReason() : problem;
    return new SequencerHealth(now.isEmpty(), image.revision(), now);
  }

  /** Ends the thread; what still waits is answered as unavailable. Does not close the journal. */
  @Override
  public void close() {
    stopped = true;
    wake();
    try {
      thread.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    refuseWaiting(Kind.STOPPED, stopReason());
  }

  private void run() {
    try {
      while (!stopped) {
        boolean woken = wakeUps.tryAcquire(config.pollInterval().toMillis(), TimeUnit.MILLISECONDS);
        if (woken) {
          wakeUps.drainPermits();
        }
        work();
      }
    } catch (InterruptedException e) {
      LOG.warn("the sequencer was interrupted");
    } finally {
      stopped = true;
      refuseWaiting(Kind.STOPPED, stopReason());
    }
  }

  /** Reads what others have appended, then commits all that waits. */
  private void work() {
    List<Waiting> commands = new ArrayList<>();
    try {
      if (behind || System.nanoTime() - caughtUpNanos >= config.pollInterval().toNanos()) {
        catchUp();
      }
      queue.drainTo(commands, config.batchLimit());
      if (!commands.isEmpty()) {
        commit(commands);
      }
      recovered();
    } catch (JournalException e) {
      failed(e, commands);
    } catch (RuntimeException | Error e) {
      problem = "the sequencer has failed: " + e.getMessage();
      refuse(commands, Kind.STOPPED, problem);
      throw e;
    }
    if (!queue.isEmpty()) {
      wake();
    }
  }

  private void commit(List<Waiting> commands) {
    for (int attempt = 0; attempt < CONFLICT_LIMIT; attempt++) {
      Batch batch = Batch.decide(image, commands, this::read);
      if (append(batch)) {
        recovered();
        batch.changes().forEach(this::publish);
        batch.answer();
        journal.offerSnapshot(image);
        return;
      }
      catchUp();
    }
    refuse(
        commands, Kind.OVERLOADED, "other control planes were faster " + CONFLICT_LIMIT + " times");
  }

  private boolean append(Batch batch) {
    if (batch.changes().isEmpty()) {
      return true;
    }
    try {
      journal.append(batch.entries());
      return true;
    } catch (ConflictException e) {
      LOG.debug("deciding again: {}", e.getMessage());
      return false;
    }
  }

  private void catchUp() {
    behind = false;
    caughtUpNanos = System.nanoTime();
    List<Entry> entries;
    do {
      entries = journal.readNew(READ_LIMIT);
      for (Entry entry : entries) {
        Image before = image;
        publish(new Committed(entry, before, before.apply(entry)));
      }
    } while (entries.size() == READ_LIMIT);
  }

  private void publish(Committed committed) {
    synchronized (publishing) {
      image = committed.after();
      for (CommitListener listener : listeners) {
        listener.committed(committed);
      }
    }
  }

  private Entry read(long revision) {
    List<Entry> entries = journal.readAfter(revision - 1, 1);
    if (entries.isEmpty()) {
      throw new IllegalStateException("the journal has no row " + revision);
    }
    return entries.get(0);
  }

  private void failed(JournalException e, List<Waiting> commands) {
    if (problem.isEmpty()) {
      LOG.error("changes are not possible: {}", e.getMessage());
    }
    problem = e.getMessage() == null ? "the journal cannot be reached" : e.getMessage();
    behind = true;
    refuse(
        commands,
        Kind.STORAGE,
        "the journal cannot be reached; whether this change was made is not known: repeat it with"
            + " the same request id");
    refuseWaiting(Kind.STORAGE, "the journal cannot be reached");
  }

  private void recovered() {
    if (!problem.isEmpty()) {
      LOG.info("changes are possible again, at revision {}", image.revision());
      problem = "";
    }
  }

  private void refuseWaiting(Kind kind, String reason) {
    List<Waiting> rest = new ArrayList<>();
    queue.drainTo(rest);
    refuse(rest, kind, reason);
  }

  /** Answers those of them that have no answer yet. */
  private static void refuse(List<Waiting> commands, Kind kind, String reason) {
    for (Waiting waiting : commands) {
      waiting.answer().completeExceptionally(new UnavailableException(kind, reason));
    }
  }

  private String stopReason() {
    return problem.isEmpty() ? "the control plane is ending" : problem;
  }

  private void wake() {
    wakeUps.release();
  }
}
