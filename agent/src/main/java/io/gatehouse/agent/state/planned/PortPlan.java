package io.gatehouse.agent.state.planned;

import io.gatehouse.agent.state.PortZone;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A port that the bridge must have.
 *
 * @param device name of the port, of its one interface and of the network device behind it
 * @param type the column {@code type}: empty for a device of the system, {@code vxlan}
 * @param options the column {@code options}
 * @param owner resource that it serves, kept in {@code external_ids}
 * @param mtuRequest the column {@code mtu_request}; empty where the switch decides
 * @param zone of its connections, kept there too; empty if they are not tracked
 */
public record PortPlan(
    String device,
    String type,
    Map<String, String> options,
    String owner,
    OptionalInt mtuRequest,
    Optional<PortZone> zone) {
  public PortPlan {
    options = Map.copyOf(options);
  }
}
