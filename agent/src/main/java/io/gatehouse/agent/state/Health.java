package io.gatehouse.agent.state;

import java.util.List;
import java.util.Map;

/**
 * What is known of this DPU after a round of the loop.
 *
 * @param heldRevision revision of the policy that is to be in force
 * @param appliedRevision newest revision that was found to be in force, by read-back
 * @param problems resources of the policy that are not in force
 * @param components state of each part of the data plane
 * @param foreign what is there and not Gatehouse's
 * @param flowsByTable number of flows read back, by table
 * @param underlayMtuBytes MTU of the device that has the VTEP address; 0: not known
 * @param applyNanos from the receipt of the applied revision to its read-back
 */
public record Health(
    long heldRevision,
    long appliedRevision,
    List<Problem> problems,
    List<Component> components,
    List<String> foreign,
    Map<Integer, Integer> flowsByTable,
    int underlayMtuBytes,
    long applyNanos) {
  public static final Health UNKNOWN =
      new Health(0, 0, List.of(), List.of(), List.of(), Map.of(), 0, 0);

  public Health {
    problems = List.copyOf(problems);
    components = List.copyOf(components);
    foreign = List.copyOf(foreign);
    flowsByTable = Map.copyOf(flowsByTable);
  }

  public int flowCount() {
    return flowsByTable.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** One part of the data plane. */
  public record Component(Part part, State state, String detail) {}

  /** The parts. */
  public enum Part {
    OVSDB,
    OPENFLOW,
    TUNNELS,
    GUARD
  }

  /** Their states. */
  public enum State {
    UNKNOWN,
    OK,
    DEGRADED,
    FAILED
  }
}
