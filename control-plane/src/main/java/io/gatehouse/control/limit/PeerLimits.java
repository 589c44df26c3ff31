package io.gatehouse.control.limit;

import io.gatehouse.model.net.InvalidValueException;
import java.time.Duration;

/**
 * Bounds on what peers may use.
 *
 * @param connectionsPerAddress at a time, from one source address
 * @param handshakesPerSecond new connections from one source address, in the long run; that many at
 *     once are taken, too, ten times over
 * @param connectionsPerPrincipal at a time, with certificates of one name
 * @param callsPerSecond of one principal, or of all operators of one tenant, in the long run
 * @param callBurst of the same at once
 * @param handshake how long TLS may take
 * @param silence after which a peer is asked whether it is there; it has half of it to answer
 */
public record PeerLimits(
    int connectionsPerAddress,
    int handshakesPerSecond,
    int connectionsPerPrincipal,
    int callsPerSecond,
    int callBurst,
    Duration handshake,
    Duration silence) {
  public static final PeerLimits DEFAULT =
      new PeerLimits(1_000, 100, 64, 500, 1_000, Duration.ofSeconds(10), Duration.ofSeconds(10));

  private static final int MAX = 1_000_000;

  public PeerLimits {
    positive("connections_per_address", connectionsPerAddress);
    positive("handshakes_per_second", handshakesPerSecond);
    positive("connections_per_principal", connectionsPerPrincipal);
    positive("calls_per_second", callsPerSecond);
    positive("call_burst", callBurst);
  }

  private static void positive(String field, int value) {
    if (value < 1 || value > MAX) {
      throw new InvalidValueException(field, value, "is outside 1.." + MAX);
    }
  }
}
