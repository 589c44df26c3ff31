package io.gatehouse.agent.plan.security;

import io.gatehouse.agent.state.PortZone;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which zone of the connection tracker each port has. A port keeps the zone that the database has
 * for it; a zone that any row still has is nobody else's.
 */
public final class ZonePlanner {
  private ZonePlanner() {}

  /**
   * Plans zones.
   *
   * @param wanted incarnation of the port, by device, for ports that need a zone
   * @param held zones that the database has, by device
   * @return zones by device; a port for which there is none left is not present
   */
  public static SortedMap<String, PortZone> plan(
      SortedMap<String, String> wanted, Map<String, PortZone> held) {
    SortedMap<String, PortZone> zones = new TreeMap<>();
    Set<Integer> kept = new HashSet<>();
    wanted.forEach(
        (device, uid) -> {
          PortZone zone = held.get(device);
          if (zone != null && zone.uid().equals(uid) && kept.add(zone.number())) {
            zones.put(device, zone);
          }
        });
    Set<Integer> taken = new HashSet<>(kept);
    held.values().forEach(zone -> taken.add(zone.number()));
    int next = 1;
    for (Map.Entry<String, String> port : wanted.entrySet()) {
      if (zones.containsKey(port.getKey())) {
        continue;
      }
      while (taken.contains(next)) {
        next++;
      }
      if (next > PortZone.MAX) {
        break;
      }
      zones.put(port.getKey(), new PortZone(next++, port.getValue()));
    }
    return zones;
  }
}
