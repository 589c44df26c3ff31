package io.gatehouse.control.publish;

import java.lang.Thread.UncaughtExceptionHandler;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that compute and send policy. Their queue is bounded by the number of sessions: each
 * is in it at most once. After {@link #close} tasks are dropped.
 */
public final class PublishThreads implements Executor, AutoCloseable {
  private final ThreadPoolExecutor pool;
  private final ScheduledThreadPoolExecutor timer;
  private final UncaughtExceptionHandler onBug;

  /**
   * @param count of threads
   * @param onBug called with what a task throws: a bug
   */
  public PublishThreads(int count, UncaughtExceptionHandler onBug) {
    this.onBug = onBug;
    AtomicInteger number = new AtomicInteger();
    this.pool =
        new ThreadPoolExecutor(
            count,
            count,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> thread("publish-" + number.incrementAndGet(), task, onBug),
            new ThreadPoolExecutor.DiscardPolicy());
    this.timer =
        new ScheduledThreadPoolExecutor(
            1,
            task -> thread("publish-timer", task, onBug),
            new ThreadPoolExecutor.DiscardPolicy());
  }

  @Override
  public void execute(Runnable task) {
    pool.execute(task);
  }

  int queued() {
    return pool.getQueue().size();
  }

  /** Runs a short task about once a second, on a thread for such tasks. */
  public void everySecond(Runnable task) {
    // A scheduled task keeps what it throws to itself, and is not run again.
    Runnable guarded =
        () -> {
          try {
            task.run();
          } catch (RuntimeException | Error e) {
            onBug.uncaughtException(Thread.currentThread(), e);
          }
        };
    // Ends with the timer; nobody waits for it.
    var unused = timer.scheduleWithFixedDelay(guarded, 1, 1, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    timer.shutdownNow();
    pool.shutdownNow();
  }

  private static Thread thread(String name, Runnable task, UncaughtExceptionHandler onBug) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler(onBug);
    return thread;
  }
}
