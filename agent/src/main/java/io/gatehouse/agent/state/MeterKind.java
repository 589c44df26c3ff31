package io.gatehouse.agent.state;

import java.util.Optional;

/** What the meters of a port are for. A meter's id is the port's OpenFlow number and its kind. */
public enum MeterKind {
  /** Kilobits that the host sends. */
  EGRESS_BITS,
  /** Packets that the host sends. */
  EGRESS_PACKETS,
  /** Kilobits that are sent to the host. */
  INGRESS_BITS,
  /** Packets that are sent to the host. */
  INGRESS_PACKETS,
  /** Broadcasts and multicasts of the host that are copied to others. */
  BROADCAST,
  /** Connections that are opened from and to the host. */
  CONNECTIONS,
  /** Packets of the host that the agent has to answer. */
  PUNTS,
  /** Not used yet. */
  RESERVED;

  private static final int KINDS = values().length;

  /** The id of a port's meter of this kind: eight ids for each port, whatever it has. */
  public int id(int openFlowPort) {
    return openFlowPort * KINDS + ordinal();
  }

  /** The kind of a meter, empty if no port can have it. */
  public static Optional<MeterKind> of(int id) {
    return id < KINDS ? Optional.empty() : Optional.of(values()[id % KINDS]);
  }
}
