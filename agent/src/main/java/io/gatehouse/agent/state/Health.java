package io.gatehouse.agent.state;

import java.util.List;

/**
 * What is known of this DPU after a round of the loop.
 *
 * @param heldRevision revision of the policy that is to be in force
 * @param appliedRevision newest revision that was found to be in force, by read-back
 * @param problems resources of the policy that are not in force
 * @param components state of each part of the data plane
 * @param foreign what is there and not Gatehouse's
 * @param flowCount flows read back
 * @param applyNanos from the receipt of the applied revision to its read-back
 */
public record Health(
    long heldRevision,
    long appliedRevision,
    List<Problem> problems,
    List<Component> components,
    List<String> foreign,
    int flowCount,
    long applyNanos) {
  public static final Health UNKNOWN = new Health(0, 0, List.of(), List.of(), List.of(), 0, 0);

  public Health {
    problems = List.copyOf(problems);
    components = List.copyOf(components);
    foreign = List.copyOf(foreign);
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
