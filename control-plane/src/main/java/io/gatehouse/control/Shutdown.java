package io.gatehouse.control;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The wait for SIGTERM or SIGINT. The runtime halts when its hooks have returned; the hook made
 * here returns when this is closed, so that the program can end in order.
 */
final class Shutdown implements AutoCloseable {
  private static final long LONGEST_END_SECONDS = 30;

  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);

  private Shutdown() {}

  static Shutdown install() {
    Shutdown shutdown = new Shutdown();
    Runtime.getRuntime().addShutdownHook(new Thread(shutdown::signalled, "shutdown"));
    return shutdown;
  }

  /** Returns when the process has been asked to end. */
  void await() throws InterruptedException {
    asked.await();
  }

  /** The program has ended in order. */
  @Override
  public void close() {
    ended.countDown();
  }

  private void signalled() {
    asked.countDown();
    try {
      if (!ended.await(LONGEST_END_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("did not end within " + LONGEST_END_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
