package io.gatehouse.agent.state.planned;

import io.gatehouse.agent.state.Site;
import java.util.Collections;
import java.util.SortedMap;

/**
 * The bridge as the database must have it.
 *
 * @param ports by device name; the ports that Gatehouse owns, and no others of its own
 */
public record BridgePlan(Site.Datapath datapath, SortedMap<String, PortPlan> ports) {
  public BridgePlan {
    ports = Collections.unmodifiableSortedMap(ports);
  }
}
