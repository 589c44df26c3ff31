package io.gatehouse.control.cli.session;

import java.time.Duration;

/** Lets time pass. */
final class Pause {
  private Pause() {}

  /** Returns after the time, at once if there is none, or ends the command if interrupted. */
  static void of(Duration time) {
    if (time.isNegative() || time.isZero()) {
      return;
    }
    try {
      // A pause between questions to a server that has nothing to wait on.
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CliException(ExitCode.OTHER, "interrupted", e);
    }
  }
}
