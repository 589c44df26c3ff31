package io.gatehouse.agent.state.observed;

import io.gatehouse.agent.state.PortZone;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/**
 * A port of the bridge as the database has it.
 *
 * @param owner value of the owner mark; empty if the port is not Gatehouse's
 * @param mtuRequest bytes of the largest packet that the switch shall make its device carry
 * @param mtuBytes what the device carries, as the switch has found it
 * @param zone of its connections, if it has one
 * @param openFlowPort empty while the switch has given none
 * @param error what the switch says is wrong with it
 */
public record PortView(
    UUID id,
    UUID interfaceId,
    String device,
    String type,
    Map<String, String> options,
    Optional<String> owner,
    OptionalInt mtuRequest,
    OptionalInt mtuBytes,
    Optional<PortZone> zone,
    OptionalInt openFlowPort,
    Optional<String> error) {
  public PortView {
    options = Map.copyOf(options);
  }
}
