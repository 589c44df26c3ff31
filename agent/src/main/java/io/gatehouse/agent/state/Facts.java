package io.gatehouse.agent.state;

import java.util.Map;
import java.util.OptionalInt;

/**
 * What a plan must know about the machine: which device a function is, and which OpenFlow port a
 * device has. Taken from observations only.
 *
 * @param devices name of the network device by function; a function that is not there is not
 *     present
 * @param openFlowPorts OpenFlow port number by device name; a device without one is not there
 * @param switchErrors what the switch says is wrong with a device, by its name
 */
public record Facts(
    Map<String, String> devices,
    Map<String, Integer> openFlowPorts,
    Map<String, String> switchErrors) {
  public static final Facts NONE = new Facts(Map.of(), Map.of(), Map.of());

  public Facts {
    devices = Map.copyOf(devices);
    openFlowPorts = Map.copyOf(openFlowPorts);
    switchErrors = Map.copyOf(switchErrors);
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
