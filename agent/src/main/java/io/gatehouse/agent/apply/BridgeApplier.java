package io.gatehouse.agent.apply;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.ovsdb.Operation;
import io.gatehouse.agent.device.ovsdb.Operation.Condition;
import io.gatehouse.agent.device.ovsdb.Operation.Mutation;
import io.gatehouse.agent.device.ovsdb.OvsdbClient;
import io.gatehouse.agent.device.ovsdb.Uuid;
import io.gatehouse.agent.device.ovsdb.Value;
import io.gatehouse.agent.state.BridgeSettings;
import io.gatehouse.agent.state.Site;
import io.gatehouse.agent.state.change.BridgeChange;
import io.gatehouse.agent.state.change.BridgeChange.PortUpdate;
import io.gatehouse.agent.state.observed.PortView;
import io.gatehouse.agent.state.planned.PortPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Writes bridge and ports to the switch's database, all in one transaction. */
public final class BridgeApplier {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final OvsdbClient client;
  private final Site site;

  public BridgeApplier(OvsdbClient client, Site site) {
    this.client = client;
    this.site = site;
  }

  /**
   * Carries a change out; on return it is in the database, and the switch has been told to look.
   */
  public void apply(BridgeChange change) throws DeviceException, InterruptedException {
    if (change.isEmpty()) {
      return;
    }
    List<Operation> operations = new ArrayList<>();
    change.settings().ifPresent(datapath -> bridge(operations, datapath));
    change.restoreWait().ifPresent(wait -> restoreWait(operations, wait));
    change.removes().forEach(port -> remove(operations, port));
    for (int i = 0; i < change.adds().size(); i++) {
      add(operations, change.adds().get(i), i);
    }
    change.updates().forEach(update -> update(operations, update));
    operations.add(
        new Operation.Mutate("Open_vSwitch", List.of(), List.of(Mutation.add("next_cfg", 1))));
    operations.add(new Operation.Comment("gatehouse-agent: " + change.size() + " changes"));
    Waiting.get(client.transact(operations), LIMIT, "the database of Open vSwitch");
  }

  /** Makes the bridge, or sets it right where there is one of our name. */
  private void bridge(List<Operation> operations, Site.Datapath datapath) {
    Map<String, Value> columns = new HashMap<>();
    columns.put(BridgeSettings.DATAPATH_TYPE, Value.of(datapath.type()));
    columns.put(BridgeSettings.FAIL_MODE, Value.of(BridgeSettings.SECURE));
    columns.put(BridgeSettings.PROTOCOLS, Value.strings(List.of(BridgeSettings.OPENFLOW_VERSION)));
    columns.put("external_ids", owned(site.dpu().toString()));
    boolean exists =
        client
            .snapshot()
            .map(
                snapshot ->
                    snapshot.rows("Bridge").stream()
                        .anyMatch(row -> Value.of(Site.BRIDGE).equals(row.columns().get("name"))))
            .orElse(false);
    if (exists) {
      operations.add(new Operation.Update("Bridge", byName(), columns));
      return;
    }
    columns.put("name", Value.of(Site.BRIDGE));
    columns.put("ports", Value.named("bridge_port"));
    operations.add(
        new Operation.Insert(
            "Interface",
            "bridge_interface",
            Map.of("name", Value.of(Site.BRIDGE), "type", Value.of("internal"))));
    operations.add(
        new Operation.Insert(
            "Port",
            "bridge_port",
            Map.of("name", Value.of(Site.BRIDGE), "interfaces", Value.named("bridge_interface"))));
    operations.add(new Operation.Insert("Bridge", "bridge", columns));
    operations.add(
        new Operation.Mutate(
            "Open_vSwitch", List.of(), List.of(Mutation.insert("bridges", Value.named("bridge")))));
  }

  private static void restoreWait(List<Operation> operations, boolean wait) {
    List<Mutation> mutations = new ArrayList<>();
    mutations.add(
        Mutation.delete("other_config", Value.strings(List.of(BridgeSettings.RESTORE_WAIT))));
    if (wait) {
      mutations.add(
          Mutation.insert(
              "other_config", Value.stringMap(Map.of(BridgeSettings.RESTORE_WAIT, "true"))));
    }
    operations.add(new Operation.Mutate("Open_vSwitch", List.of(), mutations));
  }

  /** Ports and interfaces are garbage collected once nothing refers to them (RFC 7047 §3.2). */
  private static void remove(List<Operation> operations, PortView port) {
    operations.add(
        new Operation.Mutate(
            "Bridge", byName(), List.of(Mutation.delete("ports", Value.of(uuid(port.id()))))));
  }

  private static void add(List<Operation> operations, PortPlan port, int number) {
    String interfaceId = "interface_" + number;
    String portId = "port_" + number;
    operations.add(
        new Operation.Insert(
            "Interface",
            interfaceId,
            Map.of(
                "name", Value.of(port.device()),
                "type", Value.of(port.type()),
                "options", Value.stringMap(port.options()),
                "mtu_request", mtuRequest(port))));
    operations.add(
        new Operation.Insert(
            "Port",
            portId,
            Map.of(
                "name", Value.of(port.device()),
                "interfaces", Value.named(interfaceId),
                "external_ids", marks(port))));
    operations.add(
        new Operation.Mutate(
            "Bridge", byName(), List.of(Mutation.insert("ports", Value.named(portId)))));
  }

  private static void update(List<Operation> operations, PortUpdate update) {
    PortPlan to = update.to();
    operations.add(
        new Operation.Update(
            "Interface",
            List.of(Condition.row(uuid(update.from().interfaceId()))),
            Map.of(
                "type", Value.of(to.type()),
                "options", Value.stringMap(to.options()),
                "mtu_request", mtuRequest(to))));
    operations.add(
        new Operation.Update(
            "Port",
            List.of(Condition.row(uuid(update.from().id()))),
            Map.of("external_ids", marks(to))));
  }

  private static Value mtuRequest(PortPlan port) {
    return port.mtuRequest().isPresent()
        ? Value.of(port.mtuRequest().getAsInt())
        : Value.set(List.of());
  }

  private static List<Condition> byName() {
    return List.of(Condition.is("name", Value.of(Site.BRIDGE)));
  }

  private static Value owned(String owner) {
    return Value.stringMap(Map.of(Site.OWNER_KEY, owner));
  }

  private static Value marks(PortPlan port) {
    Map<String, String> marks = new HashMap<>(Map.of(Site.OWNER_KEY, port.owner()));
    port.zone()
        .ifPresent(
            zone -> {
              marks.put(Site.ZONE_KEY, Integer.toString(zone.number()));
              marks.put(Site.ZONE_UID_KEY, zone.uid());
            });
    return Value.stringMap(marks);
  }

  private static Uuid uuid(UUID id) {
    return new Uuid(id.getMostSignificantBits(), id.getLeastSignificantBits());
  }
}
