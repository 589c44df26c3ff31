package io.gatehouse.model.security;

import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.Limits;

/**
 * How much a port may do. Zero stands for "no limit", but for connections at a time.
 *
 * @param egress what its host sends
 * @param ingress what is sent to its host
 * @param connectionsPerSecond connections that may be opened from and to it, where it has security
 *     groups
 * @param connections that it may have at a time, where it has security groups; 0: {@link
 *     #DEFAULT_CONNECTIONS}
 */
public record RateLimits(Rate egress, Rate ingress, int connectionsPerSecond, int connections) {
  public static final RateLimits NONE = new RateLimits(Rate.NONE, Rate.NONE, 0, 0);

  /** Connections at a time where nothing is said: 256 such ports fit into a tracker of 3000000. */
  public static final int DEFAULT_CONNECTIONS = 10_000;

  private static final int MAX_CONNECTIONS_PER_SECOND = 10_000_000;
  private static final int MAX_CONNECTIONS = 1_000_000;

  public RateLimits {
    Limits.range("connections_per_second", connectionsPerSecond, 0, MAX_CONNECTIONS_PER_SECOND);
    Limits.range("connections", connections, 0, MAX_CONNECTIONS);
  }

  /** Connections that the port may have at a time: every port has such a limit. */
  public int connectionsAtATime() {
    return connections == 0 ? DEFAULT_CONNECTIONS : connections;
  }

  /** Whether something is said that counts only where connections are tracked. */
  public boolean limitsConnections() {
    return connectionsPerSecond > 0 || connections > 0;
  }

  /**
   * A limit of one direction.
   *
   * @param megabitsPerSecond whole Ethernet frames, without preamble and checksum
   * @param burstKilobits that may come at once; 0: a quarter of a second's
   * @param packetsPerSecond of any size
   * @param burstPackets that may come at once; 0: a quarter of a second's
   */
  public record Rate(
      int megabitsPerSecond, int burstKilobits, int packetsPerSecond, int burstPackets) {
    public static final Rate NONE = new Rate(0, 0, 0, 0);

    private static final int MAX_MEGABITS = 1_000_000;
    private static final int MAX_BURST_KILOBITS = 100_000_000;
    private static final int MAX_PACKETS = 1_000_000_000;

    public Rate {
      Limits.range("megabits_per_second", megabitsPerSecond, 0, MAX_MEGABITS);
      Limits.range("burst_kilobits", burstKilobits, 0, MAX_BURST_KILOBITS);
      Limits.range("packets_per_second", packetsPerSecond, 0, MAX_PACKETS);
      Limits.range("burst_packets", burstPackets, 0, MAX_PACKETS);
      of("burst_kilobits", burstKilobits, "megabits_per_second", megabitsPerSecond);
      of("burst_packets", burstPackets, "packets_per_second", packetsPerSecond);
    }

    private static void of(String burst, int size, String rate, int limit) {
      if (size > 0 && limit == 0) {
        throw new InvalidValueException(burst, size, "is a burst without " + rate);
      }
    }
  }
}
