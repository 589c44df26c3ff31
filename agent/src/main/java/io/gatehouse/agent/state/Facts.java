package io.gatehouse.agent.state;

import io.gatehouse.model.net.IpAddress;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a plan must know about the machine: which device a function is, and which OpenFlow port a
 * device has. Taken from observations only.
 *
 * @param devices name of the network device by function; a function that is not there is not
 *     present
 * @param openFlowPorts OpenFlow port number by device name; a device without one is not there
 * @param switchErrors what the switch says is wrong with a device, by its name
 * @param otherBridges name of the bridge, not ours, that holds a device, by the device's name: the
 *     switch takes a device once only
 * @param zones the zone of the connection tracker that the database has for a device, by its name
 * @param mtus bytes of the largest packet that a device carries, by its name, as the switch says
 * @param switchUnknown why ports and errors could not be read, empty if they could
 * @param pathLimits bytes of the largest packet of a host that reaches another DPU, by the address
 *     of its VTEP; only of paths on which probes have shown that larger ones vanish
 */
public record Facts(
    Map<String, String> devices,
    Map<String, Integer> openFlowPorts,
    Map<String, String> switchErrors,
    Map<String, String> otherBridges,
    Map<String, PortZone> zones,
    Map<String, Integer> mtus,
    Optional<String> switchUnknown,
    Map<IpAddress, Integer> pathLimits) {
  public static final Facts NONE = of(Map.of(), Map.of());

  public Facts {
    devices = copy(devices);
    openFlowPorts = copy(openFlowPorts);
    switchErrors = copy(switchErrors);
    otherBridges = copy(otherBridges);
    zones = copy(zones);
    mtus = copy(mtus);
    pathLimits = copy(pathLimits);
  }

  /** Facts of a machine whose paths carry whatever is needed. */
  public Facts(
      Map<String, String> devices,
      Map<String, Integer> openFlowPorts,
      Map<String, String> switchErrors,
      Map<String, String> otherBridges,
      Map<String, PortZone> zones,
      Map<String, Integer> mtus,
      Optional<String> switchUnknown) {
    this(devices, openFlowPorts, switchErrors, otherBridges, zones, mtus, switchUnknown, Map.of());
  }

  /**
   * Not {@link Map#copyOf}: it looks for a free place beside a taken one, and names with running
   * numbers have running hashes, so that a lookup among 1 000 of them walks over hundreds.
   */
  private static <K, V> Map<K, V> copy(Map<K, V> map) {
    return Collections.unmodifiableMap(new HashMap<>(map));
  }

  /** Facts of a machine where nothing is wrong. */
  public static Facts of(Map<String, String> devices, Map<String, Integer> openFlowPorts) {
    return new Facts(
        devices, openFlowPorts, Map.of(), Map.of(), Map.of(), Map.of(), Optional.empty());
  }

  /** The same but for the devices. */
  public Facts withDevices(Map<String, String> now) {
    return new Facts(
        now, openFlowPorts, switchErrors, otherBridges, zones, mtus, switchUnknown, pathLimits);
  }

  /** The same but for what the paths to other DPUs carry. */
  public Facts withPathLimits(Map<IpAddress, Integer> now) {
    return new Facts(
        devices, openFlowPorts, switchErrors, otherBridges, zones, mtus, switchUnknown, now);
  }

  /** OpenFlow port of a device, empty while the switch has none for it. */
  public OptionalInt openFlowPort(String device) {
    Integer port = openFlowPorts.get(device);
    return port == null ? OptionalInt.empty() : OptionalInt.of(port);
  }

  /** OpenFlow port of the tunnel, empty while the switch has none for it. */
  public OptionalInt tunnelPort() {
    return openFlowPort(Site.TUNNEL_PORT);
  }
}
