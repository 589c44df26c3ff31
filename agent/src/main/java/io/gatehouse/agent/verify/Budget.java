package io.gatehouse.agent.verify;

import java.time.Duration;

/**
 * How much one proof may cost.
 *
 * @param walk time for walking over the planned flows
 * @param trace time for asking the switch
 * @param traces that the switch is asked for at most
 */
public record Budget(Duration walk, Duration trace, int traces) {
  /** After a change: a fraction of a core for seconds, once for all changes of that time. */
  public static final Budget BACKGROUND =
      new Budget(Duration.ofSeconds(2), Duration.ofSeconds(2), 500);

  /** When somebody asks. */
  public static final Budget FULL =
      new Budget(Duration.ofSeconds(30), Duration.ofSeconds(60), 200_000);
}
