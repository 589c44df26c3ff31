package io.gatehouse.agent.reconcile;

import io.gatehouse.agent.state.Health;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs rounds on a thread of its own: when woken, and at least every 30 seconds with everything
 * read anew. A bug ends the thread by its uncaught exception handler, which ends the process.
 */
public final class ReconcileLoop {
  /** How long something changed behind the back of all monitoring can stay. */
  static final Duration AUDIT_INTERVAL = Duration.ofSeconds(30);

  private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);

  /** Rounds in a row that write; a fight with somebody else must not use up the machine. */
  private static final int MAX_WRITES_IN_A_ROW = 8;

  private final Reconciler reconciler;
  private final Devices devices;
  private final Wakeups wakeups;
  private final Consumer<Health> reports;
  private final LongSupplier nanoClock;
  private final Thread thread = new Thread(this::run, "reconcile");
  private volatile @Nullable Target target;

  /**
   * Makes a loop that does not run yet.
   *
   * @param reports takes health after each round, on the loop's thread
   * @param nanoClock monotonic
   */
  public ReconcileLoop(
      Reconciler reconciler,
      Devices devices,
      Wakeups wakeups,
      Consumer<Health> reports,
      LongSupplier nanoClock) {
    this.reconciler = reconciler;
    this.devices = devices;
    this.wakeups = wakeups;
    this.reports = reports;
    this.nanoClock = nanoClock;
  }

  public void start() {
    thread.start();
  }

  /**
   * Works towards a target from now on; before the first call the loop does nothing. Any thread.
   */
  public void aim(Target next) {
    target = next;
    wakeups.wake();
  }

  /** What the loop works towards, if anything. From any thread. */
  public Optional<Target> target() {
    return Optional.ofNullable(target);
  }

  /** Ends the loop between two rounds; waits for it. The data plane stays as it is. */
  public void stop() throws InterruptedException {
    thread.interrupt();
    thread.join();
  }

  private void run() {
    try {
      rounds();
    } catch (InterruptedException e) {
      // This is how the loop ends.
      Thread.currentThread().interrupt();
    }
  }

  private void rounds() throws InterruptedException {
    Duration pause = Duration.ZERO;
    long lastAudit = nanoClock.getAsLong();
    int writesInARow = 0;
    while (true) {
      if (writesInARow > MAX_WRITES_IN_A_ROW) {
        // Whoever fights back also wakes the loop; waiting for him would be no pause.
        wakeups.rest(RETRY_INTERVAL);
      } else {
        wakeups.await(pause);
      }
      Target aim = target;
      if (aim == null) {
        // Without a policy nothing is known to be wrong: what is there stays.
        pause = AUDIT_INTERVAL;
        continue;
      }
      if (nanoClock.getAsLong() - lastAudit >= AUDIT_INTERVAL.toNanos()) {
        devices.forget();
        lastAudit = nanoClock.getAsLong();
      }
      Reconciler.Round round = reconciler.run(aim, nanoClock.getAsLong());
      reports.accept(round.health());
      writesInARow = round.outcome() == Reconciler.Outcome.WRITTEN ? writesInARow + 1 : 0;
      pause =
          switch (round.outcome()) {
            case IN_FORCE -> untilAudit(lastAudit);
            case WRITTEN -> Duration.ZERO;
            case UNREACHABLE -> RETRY_INTERVAL;
          };
    }
  }

  private Duration untilAudit(long lastAudit) {
    long left = AUDIT_INTERVAL.toNanos() - (nanoClock.getAsLong() - lastAudit);
    return Duration.ofNanos(Math.max(left, 0));
  }
}
