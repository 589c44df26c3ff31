package io.gatehouse.agent.state;

import io.gatehouse.model.net.MacAddress;

/**
 * Who sends and receives the packets with which agents test the tunnels: the same on every DPU and
 * in every network. No host has it and none is reached by it: they go from agent to agent.
 */
public final class ProbeIdentity {
  /** Locally administered; the one after {@link RouterIdentity#MAC}. */
  public static final MacAddress MAC = MacAddress.parse("02:67:68:00:00:03");

  /** What comes back with such a packet from the switch; no {@link PuntKind} has it. */
  public static final byte PUNT_CODE = 3;

  private ProbeIdentity() {}
}
