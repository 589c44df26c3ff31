package io.gatehouse.agent.path;

import java.time.Duration;

/**
 * How often a path is probed.
 *
 * @param confirm between two confirmations of a proven path
 * @param retry between two looks at a path that is not
 * @param search between two searches for more on a path that carries less than it should
 * @param timeout after which a probe is lost; a fabric answers in milliseconds
 */
public record PathPace(Duration confirm, Duration retry, Duration search, Duration timeout) {
  /** A black hole is found within 3 s and three probes of 1 s, and seen to be gone within 5 s. */
  public static final PathPace DEFAULT =
      new PathPace(
          Duration.ofSeconds(3),
          Duration.ofSeconds(5),
          Duration.ofSeconds(30),
          Duration.ofSeconds(1));
}
