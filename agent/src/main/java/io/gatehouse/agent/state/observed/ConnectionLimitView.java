package io.gatehouse.agent.state.observed;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The limits that the connection tracker holds zones to.
 *
 * @param connections by zone, whoever the zone is of; a zone without a limit is not present
 * @param capacity how many connections the tracker takes in all; empty if that is not known
 * @param unable why this datapath has no such limits, empty if it has
 */
public record ConnectionLimitView(
    Map<Integer, Long> connections, OptionalLong capacity, Optional<String> unable) {
  public static final ConnectionLimitView NONE =
      new ConnectionLimitView(Map.of(), OptionalLong.empty(), Optional.empty());

  public ConnectionLimitView {
    connections = Map.copyOf(connections);
  }

  /** All of them together. */
  public long sum() {
    return connections.values().stream().mapToLong(Long::longValue).sum();
  }
}
