package io.gatehouse.agent.reconcile;

import java.time.Duration;

/** Wakes the loop: any number of reasons to look give one look. Thread-safe. */
public final class Wakeups {
  private boolean due = true;

  /** Something may have changed. */
  public synchronized void wake() {
    due = true;
    notifyAll();
  }

  /** Waits until there is a reason to look, or the time is over; takes the reasons away. */
  synchronized boolean await(Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!due) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      // Rounded up: a wait of 0 ms would have no limit.
      wait(left / 1_000_000 + 1);
    }
    due = false;
    return true;
  }

  /** Waits the whole time, whatever reasons come; they are taken away all the same. */
  synchronized void rest(Duration time) throws InterruptedException {
    long deadline = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = deadline - System.nanoTime()) {
      wait(left / 1_000_000 + 1);
    }
    due = false;
  }
}
