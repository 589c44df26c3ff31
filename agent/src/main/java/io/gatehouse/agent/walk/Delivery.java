package io.gatehouse.agent.walk;

import io.gatehouse.agent.flow.Flow;
import java.util.List;

/**
 * A packet that left the switch.
 *
 * @param port OpenFlow port; {@link io.gatehouse.agent.flow.Actions#CONTROLLER} for a controller
 * @param packet as it left
 * @param path the flows that led there, from the first table on
 */
public record Delivery(int port, Packet packet, List<Flow> path) {
  public Delivery {
    path = List.copyOf(path);
  }
}
