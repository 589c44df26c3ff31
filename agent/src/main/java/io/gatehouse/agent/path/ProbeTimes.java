package io.gatehouse.agent.path;

import java.time.Duration;

/** Times of a search that do not depend on how many paths there are. */
final class ProbeTimes {
  /** Until a lone probe is asked for again, which costs little and says nothing yet. */
  static final long DOUBT_NANOS = Duration.ofMillis(150).toNanos();

  /** How much later than a small packet a large one before it may arrive. */
  static final long REORDER_NANOS = Duration.ofMillis(25).toNanos();

  /** Longer than an answer takes. */
  static final long HEARD_NANOS = Duration.ofMillis(500).toNanos();

  /** Rounds of a whole time limit without any answer, before a path counts as dead. */
  static final int MAX_SILENCES = 3;

  /** From a verdict on; by then a search has ended, if the budget of probes has let it. */
  static final long SEARCH_LIMIT_NANOS = Duration.ofSeconds(1).toNanos();

  /** How long a limit outlives its black hole, so that a path that flaps does not change flows. */
  static final long HOLD_NANOS = Duration.ofSeconds(5).toNanos();

  private ProbeTimes() {}
}
