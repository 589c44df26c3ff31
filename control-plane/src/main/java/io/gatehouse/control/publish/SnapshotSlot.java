package io.gatehouse.control.publish;

import java.util.concurrent.atomic.AtomicBoolean;

/** One session's place at the {@link SnapshotAdmission}. Used under the session's lock. */
final class SnapshotSlot {
  private final SnapshotAdmission admission;
  private final AtomicBoolean given = new AtomicBoolean();
  private final Runnable admitted;
  private boolean requested;

  /**
   * @param wake called when the slot is given, by any thread
   */
  SnapshotSlot(SnapshotAdmission admission, Runnable wake) {
    this.admission = admission;
    this.admitted =
        () -> {
          given.set(true);
          wake.run();
        };
  }

  /** Asks for the slot, unless it was asked for before. */
  void request() {
    if (!requested) {
      requested = true;
      admission.request(admitted);
    }
  }

  boolean isGiven() {
    return requested && given.get();
  }

  /** Gives the slot back, or the place in the queue; without effect if there is neither. */
  void release() {
    if (!requested) {
      return;
    }
    requested = false;
    if (!admission.withdraw(admitted)) {
      given.set(false);
      admission.release();
    }
  }
}
