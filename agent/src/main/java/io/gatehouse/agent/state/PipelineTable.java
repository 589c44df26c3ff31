package io.gatehouse.agent.state;

import java.util.Arrays;
import java.util.Optional;

/** The flow tables of the bridge, in the order in which a packet meets them. */
public enum PipelineTable {
  /** Says which network a packet belongs to: by its port, or by tunnel source and VNI. */
  CLASSIFY(0),
  /** Lets a port use its own addresses only. */
  SOURCE_GUARD(10),
  /** Answers ARP and neighbour discovery on the spot. */
  SERVICES(20),
  /** Completes a neighbour advertisement that SERVICES has made out of a solicitation. */
  ADVERTISE(21),
  /** Asks the connection tracker about what a host with security groups sends. */
  EGRESS_CT(30),
  /** Calls the groups of the sending port. */
  EGRESS_RULES(31),
  /** What each group lets its hosts open. */
  EGRESS_GROUP(32),
  /** Passes on what a group has allowed, and remembers a new connection. */
  EGRESS_VERDICT(33),
  /** Takes packets of a network to its peers. */
  ROUTE(40),
  /** Finds the receiving port, or the DPU that has it. */
  FORWARD(50),
  /** Asks whether a host's packet is larger than its network carries. */
  MTU(60),
  /** Takes what is too large to the agent, and passes on what is not. */
  OVERSIZE(61),
  /** Asks the connection tracker about what is for a host with security groups. */
  INGRESS_CT(70),
  /** Calls the groups of the receiving port. */
  INGRESS_RULES(71),
  /** What each group lets others open to its hosts. */
  INGRESS_GROUP(72),
  /** Passes on what a group has allowed, and remembers a new connection. */
  INGRESS_VERDICT(73),
  /** Puts the packet out. */
  OUTPUT(80);

  private final int number;

  PipelineTable(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }

  /** The table of a number, empty if the pipeline has none of it. */
  public static Optional<PipelineTable> of(int number) {
    return Arrays.stream(values()).filter(table -> table.number == number).findFirst();
  }
}
