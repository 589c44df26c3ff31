package io.gatehouse.control.decide.peering;

import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PeeringName;

/** Commands about a peering: one network's consent. */
public sealed interface PeeringCommand {
  PeeringName name();

  /** Agrees to exchange packets with another network, which need not exist. */
  record CreatePeering(PeeringName name, String displayName, NetworkName peer)
      implements PeeringCommand {}

  /**
   * Gives it another name for people.
   *
   * @param etag that must be current; empty: whatever is there
   */
  record RenamePeering(PeeringName name, String displayName, String etag)
      implements PeeringCommand {}

  /**
   * Takes the consent back.
   *
   * @param etag that must be current; empty: whatever is there
   */
  record DeletePeering(PeeringName name, String etag) implements PeeringCommand {}
}
