package io.gatehouse.agent.state.planned;

import io.gatehouse.agent.state.PortZone;
import io.gatehouse.model.net.Limits;

/**
 * How many connections the tracker may keep in a zone at a time.
 *
 * @param zone as of a {@link PortZone}
 */
public record ConnectionLimit(int zone, int connections) {
  public ConnectionLimit {
    Limits.range("zone", zone, 1, PortZone.MAX);
    Limits.range("connections", connections, 1, Integer.MAX_VALUE);
  }
}
