package io.gatehouse.agent.observe.underlay;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.ovsdb.OvsdbSnapshot;
import io.gatehouse.agent.device.ovsdb.Row;
import io.gatehouse.agent.device.ovsdb.Uuid;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A bridge of Open vSwitch with what hangs on it.
 *
 * @param name of the bridge, and of its local port
 */
record SwitchBridge(String name, List<Plug> plugs) {
  private static final String PATCH = "patch";
  private static final Set<String> DEVICES = Set.of("", "system", "dpdk", "afxdp", "afxdp-nonpmd");

  SwitchBridge {
    plugs = List.copyOf(plugs);
  }

  /**
   * An interface on a bridge.
   *
   * @param type empty for a device of the machine, {@code internal} for one that the switch makes
   * @param peer other end of a patch; empty for all others
   * @param tag VLAN that the port is an access port of; 0: none
   * @param mtuBytes as the switch says; 0: it does not
   */
  record Plug(String device, String type, String peer, int tag, int mtuBytes) {
    boolean isDevice() {
      return DEVICES.contains(type);
    }

    /** The VLAN that a frame of this VLAN (0: none) has behind the port. */
    int leaving(int vlan) {
      return vlan == tag ? 0 : vlan;
    }
  }

  /** All bridges that the database has. */
  static List<SwitchBridge> read(OvsdbSnapshot snapshot) throws DeviceException {
    List<SwitchBridge> bridges = new ArrayList<>();
    for (Row bridge : snapshot.rows("Bridge")) {
      List<Plug> plugs = new ArrayList<>();
      for (Uuid id : bridge.uuids("ports")) {
        Optional<Row> port = snapshot.row("Port", id);
        if (port.isPresent()) {
          plugs.addAll(plugs(snapshot, port.get()));
        }
      }
      bridges.add(new SwitchBridge(bridge.string("name"), plugs));
    }
    return bridges;
  }

  private static List<Plug> plugs(OvsdbSnapshot snapshot, Row port) throws DeviceException {
    List<Plug> plugs = new ArrayList<>();
    OptionalLong tag = port.optionalInteger("tag");
    for (Uuid id : port.uuids("interfaces")) {
      Optional<Row> row = snapshot.row("Interface", id);
      if (row.isPresent()) {
        String type = row.get().string("type");
        String peer =
            type.equals(PATCH) ? row.get().stringMap("options").getOrDefault("peer", "") : "";
        long mtu = row.get().optionalInteger("mtu").orElse(0);
        plugs.add(new Plug(row.get().string("name"), type, peer, (int) tag.orElse(0), (int) mtu));
      }
    }
    return plugs;
  }

  /** The interface of this name, if it is here. */
  Optional<Plug> plug(String device) {
    return plugs.stream().filter(plug -> plug.device().equals(device)).findFirst();
  }
}
