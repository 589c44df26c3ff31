package io.gatehouse.agent.observe;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.ovsdb.OvsdbClient;
import io.gatehouse.agent.device.ovsdb.OvsdbSnapshot;
import io.gatehouse.agent.device.ovsdb.Row;
import io.gatehouse.agent.device.ovsdb.Uuid;
import io.gatehouse.agent.state.BridgeSettings;
import io.gatehouse.agent.state.PortZone;
import io.gatehouse.agent.state.Site;
import io.gatehouse.agent.state.observed.BridgeView;
import io.gatehouse.agent.state.observed.Observed;
import io.gatehouse.agent.state.observed.PortView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;

/** Reads the bridge from the replica of the switch's database; costs no round trip. */
public final class BridgeObserver {
  /** What a client must monitor for this observer. */
  public static final Map<String, Set<String>> MONITORED =
      Map.of(
          "Open_vSwitch", Set.of("bridges", "cur_cfg", "next_cfg", "other_config"),
          "Bridge",
              Set.of("name", "ports", "datapath_type", "fail_mode", "protocols", "external_ids"),
          "Port", Set.of("name", "interfaces", "external_ids", "tag"),
          "Interface",
              Set.of(
                  "name",
                  "type",
                  "options",
                  "external_ids",
                  "ofport",
                  "error",
                  "mtu",
                  "mtu_request"));

  private static final int MAX_FOREIGN = 100;
  private static final Pattern ZONE = Pattern.compile("[1-9][0-9]{0,4}");

  private final OvsdbClient client;
  private final Optional<String> uplink;

  /**
   * Makes an observer.
   *
   * @param uplink device towards the underlay, if configured: a bridge of others that joins it with
   *     a tenant's function is an alarm
   */
  public BridgeObserver(OvsdbClient client, Optional<String> uplink) {
    this.client = client;
    this.uplink = uplink;
  }

  /** The bridge now, or why it is unknown. */
  public Observed<BridgeView> observe(Set<String> functionDevices) {
    Optional<OvsdbSnapshot> snapshot = client.snapshot();
    if (snapshot.isEmpty()) {
      return new Observed.Unknown<>("no connection to the database of Open vSwitch");
    }
    try {
      return new Observed.Known<>(read(snapshot.get(), functionDevices));
    } catch (DeviceException e) {
      return new Observed.Unknown<>("the database of Open vSwitch: " + e.getMessage());
    }
  }

  private BridgeView read(OvsdbSnapshot snapshot, Set<String> functionDevices)
      throws DeviceException {
    Row root = snapshot.single("Open_vSwitch");
    boolean exists = false;
    Map<String, String> settings = Map.of();
    SortedMap<String, PortView> ports = Collections.emptySortedMap();
    Map<String, String> otherBridges = new HashMap<>();
    List<String> alarms = new ArrayList<>();
    List<String> foreign = new ArrayList<>();
    for (Row bridge : snapshot.rows("Bridge")) {
      if (bridge.string("name").equals(Site.BRIDGE)) {
        exists = bridge.stringMap("external_ids").containsKey(Site.OWNER_KEY);
        settings = settings(bridge);
        ports = ports(snapshot, bridge);
        continue;
      }
      SortedMap<String, PortView> others = ports(snapshot, bridge);
      otherBridges.putAll(held(snapshot, bridge));
      foreign.add("bridge " + bridge.string("name") + " " + others.keySet());
      alarm(bridge.string("name"), others.keySet(), functionDevices).ifPresent(alarms::add);
    }
    ports.values().stream()
        .filter(port -> port.owner().isEmpty() && !port.device().equals(Site.BRIDGE))
        .forEach(port -> foreign.add("port " + port.device() + " on " + Site.BRIDGE));
    return new BridgeView(
        exists,
        settings,
        ports,
        Boolean.parseBoolean(root.stringMap("other_config").get(BridgeSettings.RESTORE_WAIT)),
        root.integer("cur_cfg") >= root.integer("next_cfg"),
        otherBridges,
        alarms,
        foreign.subList(0, Math.min(foreign.size(), MAX_FOREIGN)));
  }

  /** A bridge that joins the underlay with a tenant lets the tenant out of its network. */
  private Optional<String> alarm(String bridge, Set<String> ports, Set<String> functionDevices) {
    TreeSet<String> tenants = new TreeSet<>(ports);
    tenants.retainAll(functionDevices);
    if (tenants.isEmpty() || uplink.isEmpty() || !ports.contains(uplink.get())) {
      return Optional.empty();
    }
    return Optional.of(
        "bridge "
            + bridge
            + " is not Gatehouse's and joins the uplink "
            + uplink.get()
            + " with "
            + tenants);
  }

  private static Map<String, String> settings(Row bridge) throws DeviceException {
    return Map.of(
        BridgeSettings.DATAPATH_TYPE,
        bridge.string("datapath_type"),
        BridgeSettings.FAIL_MODE,
        bridge.optionalString("fail_mode").orElse(""),
        BridgeSettings.PROTOCOLS,
        String.join(",", new TreeSet<>(bridge.strings("protocols"))));
  }

  private static SortedMap<String, PortView> ports(OvsdbSnapshot snapshot, Row bridge)
      throws DeviceException {
    SortedMap<String, PortView> views = new TreeMap<>();
    for (Uuid id : bridge.uuids("ports")) {
      Optional<Row> port = snapshot.row("Port", id);
      if (port.isEmpty()) {
        continue;
      }
      for (Uuid interfaceId : port.get().uuids("interfaces")) {
        Optional<Row> row = snapshot.row("Interface", interfaceId);
        if (row.isPresent()) {
          PortView view = port(port.get(), row.get());
          views.put(view.device(), view);
        }
      }
    }
    return views;
  }

  /** Names that no other bridge can use: those of the ports and of their interfaces. */
  private static Map<String, String> held(OvsdbSnapshot snapshot, Row bridge)
      throws DeviceException {
    String name = bridge.string("name");
    Map<String, String> held = new HashMap<>();
    ports(snapshot, bridge).keySet().forEach(device -> held.put(device, name));
    for (Uuid id : bridge.uuids("ports")) {
      Optional<Row> port = snapshot.row("Port", id);
      if (port.isPresent()) {
        held.put(port.get().string("name"), name);
      }
    }
    return held;
  }

  private static PortView port(Row port, Row row) throws DeviceException {
    OptionalLong number = row.optionalInteger("ofport");
    // The switch writes -1 where it could not open the device.
    boolean usable = number.isPresent() && number.getAsLong() > 0;
    return new PortView(
        uuid(port.uuid()),
        uuid(row.uuid()),
        row.string("name"),
        row.string("type"),
        row.stringMap("options"),
        Optional.ofNullable(port.stringMap("external_ids").get(Site.OWNER_KEY)),
        bytes(row, "mtu_request"),
        bytes(row, "mtu"),
        zone(port.stringMap("external_ids")),
        usable ? OptionalInt.of((int) number.getAsLong()) : OptionalInt.empty(),
        row.optionalString("error"));
  }

  private static OptionalInt bytes(Row row, String column) throws DeviceException {
    OptionalLong value = row.optionalInteger(column);
    return value.isPresent() ? OptionalInt.of((int) value.getAsLong()) : OptionalInt.empty();
  }

  /** What cannot be read is no zone: the port gets another one. */
  private static Optional<PortZone> zone(Map<String, String> marks) {
    String number = marks.getOrDefault(Site.ZONE_KEY, "");
    String uid = marks.get(Site.ZONE_UID_KEY);
    if (uid == null || !ZONE.matcher(number).matches()) {
      return Optional.empty();
    }
    int zone = Integer.parseInt(number);
    return zone <= PortZone.MAX ? Optional.of(new PortZone(zone, uid)) : Optional.empty();
  }

  private static UUID uuid(Uuid id) {
    return new UUID(id.high(), id.low());
  }
}
