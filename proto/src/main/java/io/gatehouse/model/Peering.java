package io.gatehouse.model;

import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PeeringName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.Limits;
import java.time.Instant;

/**
 * One network's consent to exchange routed packets with another one.
 *
 * @param peer the other network, which may not exist
 * @param active true if the other network has a peering that names this one
 * @param createdAt by the control plane's clock
 * @param updatedAt by the control plane's clock
 */
public record Peering(
    PeeringName name,
    String displayName,
    NetworkName peer,
    boolean active,
    Instant createdAt,
    Instant updatedAt) {
  /** Most peerings that a network may have. */
  public static final int MAX_PER_NETWORK = 8;

  public Peering {
    Limits.displayName("display_name", displayName);
    if (peer.equals(name.network())) {
      throw new InvalidValueException("peer_network", peer, "is the network itself");
    }
  }
}
