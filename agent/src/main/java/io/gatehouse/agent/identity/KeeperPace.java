package io.gatehouse.agent.identity;

import io.gatehouse.runtime.Backoff;
import java.time.Duration;
import java.time.InstantSource;

/**
 * When an {@link IdentityKeeper} does things.
 *
 * @param clock what certificates are compared with
 * @param look between two looks at the clock and the token file
 * @param trust longest time between two questions whom to trust, and whom no longer
 * @param retry pauses after a call that was not answered
 * @param afterRefusal pauses after a call that was refused
 */
public record KeeperPace(
    InstantSource clock, Duration look, Duration trust, Backoff retry, Backoff afterRefusal) {
  public static final KeeperPace DEFAULT =
      new KeeperPace(
          InstantSource.system(),
          Duration.ofSeconds(2),
          Duration.ofHours(6),
          new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1)),
          new Backoff(Duration.ofSeconds(30), Duration.ofMinutes(30)));
}
