package io.gatehouse.model.security;

/**
 * Lets connections of one kind be opened. What answers a connection, and the ICMP errors that
 * belong to it, need no rule of their own.
 *
 * @param direction seen from the port that has the group
 */
public record SecurityRule(Direction direction, Traffic traffic, Remote remote) {
  public SecurityRule {
    remote.family().ifPresent(traffic::checkFamily);
  }

  /** Who opens the connection. */
  public enum Direction {
    /** Somebody else, towards the port. */
    INGRESS,
    /** The port's host. */
    EGRESS
  }
}
