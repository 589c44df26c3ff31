package io.gatehouse.agent.diff;

import io.gatehouse.agent.state.PortZone;
import io.gatehouse.agent.state.change.ConnectionLimitChange;
import io.gatehouse.agent.state.observed.ConnectionLimitView;
import io.gatehouse.agent.state.planned.BridgePlan;
import io.gatehouse.agent.state.planned.ConnectionLimit;
import io.gatehouse.agent.state.planned.FlowPlan;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Limits of zones to set and delete. The tracker is not Gatehouse's alone: only zones that the
 * database gives to a port are looked at.
 */
public final class ConnectionLimitDiff {
  private ConnectionLimitDiff() {}

  /**
   * Compares.
   *
   * @param held zones that ports have
   */
  public static ConnectionLimitChange diff(
      FlowPlan plan, BridgePlan bridge, ConnectionLimitView view, Collection<PortZone> held) {
    SortedMap<Integer, ConnectionLimit> planned = plan.limits();
    if (view.unable().isPresent()) {
      Map<Integer, String> impossible = new TreeMap<>();
      planned.keySet().forEach(zone -> impossible.put(zone, view.unable().get()));
      return new ConnectionLimitChange(List.of(), List.of(), impossible);
    }
    List<ConnectionLimit> sets =
        planned.values().stream().filter(limit -> !isSet(limit, view)).toList();
    // A port whose flows are not planned for a moment keeps its zone, and what is counted there.
    Set<Integer> kept =
        bridge.ports().values().stream()
            .flatMap(port -> port.zone().stream())
            .map(PortZone::number)
            .collect(Collectors.toSet());
    List<Integer> deletes =
        held.stream()
            .map(PortZone::number)
            .filter(zone -> !kept.contains(zone))
            .filter(zone -> view.connections().containsKey(zone) && !planned.containsKey(zone))
            .sorted()
            .distinct()
            .toList();
    return new ConnectionLimitChange(sets, deletes, Map.of());
  }

  private static boolean isSet(ConnectionLimit limit, ConnectionLimitView view) {
    Long there = view.connections().get(limit.zone());
    return there != null && there == limit.connections();
  }
}
