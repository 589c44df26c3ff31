package io.gatehouse.agent.trace;

import java.util.List;

/**
 * What the switch says that it would do with a packet.
 *
 * @param ports OpenFlow ports that it goes out at, in order, {@link
 *     io.gatehouse.agent.flow.Actions#CONTROLLER} among them; not those that a flood would reach
 * @param floods it goes to every port, or to those that the switch has learned
 * @param steps the flows that it meets, in order
 */
public record Trace(List<Integer> ports, boolean floods, List<Step> steps) {
  public Trace {
    ports = List.copyOf(ports);
    steps = List.copyOf(steps);
  }

  /**
   * A flow that the packet meets.
   *
   * @param cookie 0 if it has none
   * @param match in the switch's own words
   */
  public record Step(int table, int priority, long cookie, String match) {
    @Override
    public String toString() {
      return "table="
          + table
          + ",priority="
          + priority
          + ",cookie=0x"
          + Long.toHexString(cookie)
          + (match.isEmpty() ? "" : "," + match);
    }
  }
}
