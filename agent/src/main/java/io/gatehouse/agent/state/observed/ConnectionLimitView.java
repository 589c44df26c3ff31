package io.gatehouse.agent.state.observed;

import java.util.Map;
import java.util.Optional;

/**
 * The limits that the connection tracker holds zones to.
 *
 * @param connections by zone, whoever the zone is of; a zone without a limit is not present
 * @param unable why this datapath has no such limits, empty if it has
 */
public record ConnectionLimitView(Map<Integer, Long> connections, Optional<String> unable) {
  public static final ConnectionLimitView NONE =
      new ConnectionLimitView(Map.of(), Optional.empty());

  public ConnectionLimitView {
    connections = Map.copyOf(connections);
  }
}
