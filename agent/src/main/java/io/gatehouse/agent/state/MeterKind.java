package io.gatehouse.agent.state;

import java.util.Arrays;
import java.util.Optional;

/** What the meters of a port are for. A meter's id is the port's OpenFlow number and its kind. */
public enum MeterKind {
  /** Kilobits that the host sends. */
  EGRESS_BITS(0),
  /** Packets that the host sends. */
  EGRESS_PACKETS(1),
  /** Kilobits that are sent to the host. */
  INGRESS_BITS(2),
  /** Packets that are sent to the host. */
  INGRESS_PACKETS(3),
  /** Broadcasts and multicasts of the host that are copied to others. */
  BROADCAST(4),
  /** Connections that are opened from and to the host. */
  CONNECTIONS(5),
  /** Packets of the host that the agent has to answer; of the tunnel port, tests of tunnels. */
  PUNTS(6),
  /** Packets of the host that are larger than its network carries. */
  OVERSIZE(7);

  private static final int KINDS = 8;

  private final int number;

  MeterKind(int number) {
    this.number = number;
  }

  /** The id of a port's meter of this kind: eight ids for each port, whatever it has. */
  public int id(int openFlowPort) {
    return openFlowPort * KINDS + number;
  }

  /** The kind of a meter, empty if no port can have it. */
  public static Optional<MeterKind> of(int id) {
    return Arrays.stream(values())
        .filter(kind -> id >= KINDS && id % KINDS == kind.number)
        .findFirst();
  }
}
