package io.gatehouse.agent.state;

import io.gatehouse.model.net.MacAddress;

/**
 * Who takes packets from a network to its peer: the same on every DPU and in every network, so that
 * a host whose port has moved keeps what it knows (docs/decisions/0076). It has no IP address.
 */
public final class RouterIdentity {
  /** Locally administered; the one after {@link ServerIdentity#MAC}. */
  public static final MacAddress MAC = MacAddress.parse("02:67:68:00:00:02");

  private RouterIdentity() {}
}
