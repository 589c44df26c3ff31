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
  /** Finds the receiving port, or the DPU that has it. */
  FORWARD(50),
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
