package io.gatehouse.agent.plan;

import io.gatehouse.agent.state.Facts;
import io.gatehouse.agent.state.PortZone;
import io.gatehouse.model.policy.LocalPortPolicy;
import java.util.Optional;

/**
 * A local port that carries traffic, with its device.
 *
 * @param zone of its connections, if it has security groups
 */
record BoundPort(LocalPortPolicy port, String device, Optional<PortZone> zone) {
  /** False while another port's connections may still be in the zone. */
  boolean hasItsZone(Facts facts) {
    return zone.isEmpty() == port.security().groups().isEmpty()
        && (zone.isEmpty() || zone.get().equals(facts.zones().get(device)));
  }
}
