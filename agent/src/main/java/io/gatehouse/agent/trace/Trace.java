package io.gatehouse.agent.trace;

import io.gatehouse.model.net.IpAddress;
import java.util.List;
import java.util.Optional;

/**
 * What the switch says that it would do with a packet.
 *
 * @param sent where it goes out, in order; not the ports that a flood would reach
 * @param floods it goes to every port, or to those that the switch has learned
 * @param steps the flows that it meets, in order
 */
public record Trace(List<Sent> sent, boolean floods, List<Step> steps) {
  public Trace {
    sent = List.copyOf(sent);
    steps = List.copyOf(steps);
  }

  /**
   * A packet that goes out.
   *
   * @param port OpenFlow port; {@link io.gatehouse.agent.flow.Actions#CONTROLLER} for a controller
   * @param tunnelId 0 if none was set
   */
  public record Sent(int port, long tunnelId, Optional<IpAddress> tunnelDestination) {}

  /** The ports alone, in order. */
  public List<Integer> ports() {
    return sent.stream().map(Sent::port).toList();
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
