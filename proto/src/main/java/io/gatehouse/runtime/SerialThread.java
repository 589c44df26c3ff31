package io.gatehouse.runtime;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread that runs tasks one after the other, so that what they share needs no lock.
 *
 * <p>An exception that leaves a task is a bug and is handed to the thread's uncaught exception
 * handler; the programs install one that ends the process. A scheduled executor alone would swallow
 * it.
 */
public final class SerialThread implements Executor, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SerialThread.class);

  private final ScheduledThreadPoolExecutor executor;

  public SerialThread(String name) {
    this.executor = new ScheduledThreadPoolExecutor(1, task -> new Thread(task, name));
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    executor.setRemoveOnCancelPolicy(true);
  }

  /** Runs a task after those before it. After {@link #close} it is dropped. */
  @Override
  public void execute(Runnable task) {
    schedule(() -> executor.execute(guarded(task)));
  }

  /** Runs a task once after a delay. */
  public void after(Duration delay, Runnable task) {
    schedule(
        () -> {
          // "guarded" sees to failures, nobody waits for the result.
          ScheduledFuture<?> unused =
              executor.schedule(guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        });
  }

  /** Runs a task again and again, the first time after one period. */
  public void every(Duration period, Runnable task) {
    long nanos = period.toNanos();
    schedule(
        () -> {
          ScheduledFuture<?> unused =
              executor.scheduleAtFixedRate(guarded(task), nanos, nanos, TimeUnit.NANOSECONDS);
        });
  }

  /** Lets the tasks that were given to {@link #execute} end; takes no more. Returns at once. */
  @Override
  public void close() {
    executor.shutdown();
  }

  private void schedule(Runnable submission) {
    try {
      submission.run();
    } catch (RejectedExecutionException e) {
      log.debug("closed: a late task is dropped");
    }
  }

  private static Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (Throwable bug) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, bug);
      }
    };
  }
}
