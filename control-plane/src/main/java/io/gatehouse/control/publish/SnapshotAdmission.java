package io.gatehouse.control.publish;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Lets a bounded number of agents receive a large transfer at a time, first come first served; so
 * that a fleet that reconnects at once is served DPU by DPU, not cut off in the middle for ever.
 * Safe for use by many threads.
 */
final class SnapshotAdmission {
  private final int slots;
  private int taken;
  private final Set<Runnable> waiting = new LinkedHashSet<>();

  SnapshotAdmission(int slots) {
    this.slots = slots;
  }

  /**
   * Asks for a slot.
   *
   * @param admitted called once the slot is the caller's, now or later, by this or another thread
   */
  void request(Runnable admitted) {
    synchronized (this) {
      if (taken == slots) {
        waiting.add(admitted);
        return;
      }
      taken++;
    }
    admitted.run();
  }

  /** Withdraws a request; false if its slot was given already, and has to be released. */
  synchronized boolean withdraw(Runnable admitted) {
    return waiting.remove(admitted);
  }

  /** Gives a slot back; the first who waits gets it. */
  void release() {
    Runnable next;
    synchronized (this) {
      Iterator<Runnable> first = waiting.iterator();
      if (!first.hasNext()) {
        taken--;
        return;
      }
      next = first.next();
      first.remove();
    }
    next.run();
  }

  synchronized int waitingCount() {
    return waiting.size();
  }

  synchronized int takenCount() {
    return taken;
  }
}
