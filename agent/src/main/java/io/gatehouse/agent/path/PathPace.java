package io.gatehouse.agent.path;

import java.time.Duration;

/**
 * How often a path is probed.
 *
 * @param confirm between two confirmations of a path whose state is known
 * @param retry between two looks at a path on which nothing arrives
 * @param search between two looks for more on a path that carries less than it should
 * @param timeout of a round in which nothing is answered; a fabric answers in milliseconds
 */
public record PathPace(Duration confirm, Duration retry, Duration search, Duration timeout) {
  /** As with as many partners as the budget of probes feeds. */
  public static final PathPace DEFAULT =
      new PathPace(
          Duration.ofSeconds(3),
          Duration.ofSeconds(5),
          Duration.ofSeconds(30),
          Duration.ofSeconds(1));

  private static final Duration SHORTEST_CONFIRM = Duration.ofMillis(250);

  /** Confirmations of all paths together, as long as the shortest interval allows as many. */
  private static final int CONFIRMATIONS_PER_SECOND = 200;

  /**
   * The pace of a DPU with few paths: as fast as costs little, so that a black hole is found before
   * the hosts' connections have backed off for seconds.
   *
   * @param paths with each way to each partner for itself
   */
  public PathPace among(int paths) {
    Duration shared = Duration.ofSeconds(paths).dividedBy(CONFIRMATIONS_PER_SECOND);
    Duration longer = shared.compareTo(SHORTEST_CONFIRM) < 0 ? SHORTEST_CONFIRM : shared;
    return new PathPace(longer.compareTo(confirm) < 0 ? longer : confirm, retry, search, timeout);
  }
}
