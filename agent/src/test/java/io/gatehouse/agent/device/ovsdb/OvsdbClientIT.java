package io.gatehouse.agent.device.ovsdb;

import static io.gatehouse.agent.device.ovsdb.ClientFixture.MONITORED;
import static io.gatehouse.agent.device.ovsdb.ClientFixture.failure;
import static io.gatehouse.agent.device.ovsdb.ClientFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.agent.device.ovsdb.Operation.Condition;
import io.gatehouse.agent.device.ovsdb.Operation.Mutation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replica and transactions against a real ovsdb-server. */
class OvsdbClientIT {
  @TempDir private Path directory;

  private OvsdbServerProcess server;
  private ClientFixture fixture;
  private OvsdbClient client;

  @BeforeEach
  void connect() throws Exception {
    server = OvsdbServerProcess.start(directory);
    fixture = new ClientFixture();
    client = fixture.start(OvsdbConfig.of(server.unix(), MONITORED));
    fixture.events.next(RecordingListener.Connected.class);
  }

  @AfterEach
  void close() {
    fixture.close();
    server.close();
  }

  @Test
  void firstSnapshotHasDefaultsThatTheServerLeavesOut() throws Exception {
    Row root = snapshot().single("Open_vSwitch");
    assertThat(root.integer("next_cfg")).isZero();
    assertThat(root.uuids("bridges")).isEmpty();
    assertThat(root.stringMap("external_ids")).isEmpty();
    assertThat(snapshot().rows("Bridge")).isEmpty();
  }

  @Test
  void snapshotShowsATransactionWhenItsFutureCompletes() throws Exception {
    for (int i = 0; i < 100; i++) {
      String name = "br" + i;
      boolean seen =
          get(
              client
                  .transact(bridge(name))
                  .thenApply(result -> snapshot().row("Bridge", result.inserted(0)).isPresent()));
      assertThat(seen).as(name).isTrue();
    }
    assertThat(snapshot().single("Open_vSwitch").uuids("bridges")).hasSize(100);
  }

  @Test
  void changesOfOthersArriveAsDifferences() throws Exception {
    server.vsctl("add-br", "br0", "--", "set", "bridge", "br0", "external_ids:a=1");
    Row bridge = awaitBridge("br0", "a", "1");
    Uuid internalPort = bridge.uuids("ports").iterator().next();
    server.vsctl("add-port", "br0", "p0", "--", "set", "bridge", "br0", "external_ids:b=2");
    bridge = awaitBridge("br0", "b", "2");
    assertThat(bridge.uuids("ports")).hasSize(2).contains(internalPort);
    assertThat(bridge.stringMap("external_ids")).isEqualTo(Map.of("a", "1", "b", "2"));
    server.vsctl(
        "del-port",
        "br0",
        "p0",
        "--",
        "remove",
        "bridge",
        "br0",
        "external_ids",
        "a",
        "--",
        "set",
        "bridge",
        "br0",
        "external_ids:b=3",
        "--",
        "set-fail-mode",
        "br0",
        "secure");
    bridge = awaitBridge("br0", "b", "3");
    assertThat(bridge.uuids("ports")).containsExactly(internalPort);
    assertThat(bridge.stringMap("external_ids")).isEqualTo(Map.of("b", "3"));
    assertThat(bridge.optionalString("fail_mode")).contains("secure");
    server.vsctl("del-fail-mode", "br0", "--", "set", "bridge", "br0", "external_ids:b=4");
    assertThat(awaitBridge("br0", "b", "4").optionalString("fail_mode")).isEmpty();
    server.vsctl("del-br", "br0");
    get(client.await(now -> now.rows("Bridge").isEmpty(), LIMIT, "br0 is still there"));
    assertThat(snapshot().rows("Interface")).isEmpty();
  }

  @Test
  void operationsGiveTypedResults() throws Exception {
    Uuid bridge = get(client.transact(bridge("br0"))).inserted(0);
    Condition that = Condition.row(bridge);
    TransactionResult result =
        get(
            client.transact(
                List.of(
                    new Operation.Wait(
                        "Bridge",
                        List.of(that),
                        Operation.Until.EQUAL,
                        List.of("name"),
                        List.of(Map.of("name", Value.of("br0")))),
                    new Operation.Comment("gatehouse test"),
                    new Operation.Update(
                        "Bridge", List.of(that), Map.of("fail_mode", Value.of("secure"))),
                    new Operation.Mutate(
                        "Bridge",
                        List.of(that),
                        List.of(
                            Mutation.insert(
                                "external_ids", Value.stringMap(Map.of("a", "1", "b", "2"))),
                            Mutation.delete("external_ids", Value.strings(List.of("a"))))),
                    new Operation.Select(
                        "Bridge",
                        List.of(Condition.is("name", Value.of("br0"))),
                        List.of("external_ids", "fail_mode")),
                    new Operation.Delete("Bridge", List.of(Condition.is("name", Value.of("x")))))));
    assertThat(result.outcomes().get(0)).isEqualTo(new TransactionResult.Done());
    assertThat(result.count(2)).isEqualTo(1);
    assertThat(result.count(5)).isZero();
    Row row = result.rows(4).get(0);
    assertThat(row.uuid()).isEqualTo(bridge);
    assertThat(row.stringMap("external_ids")).isEqualTo(Map.of("b", "2"));
    assertThat(row.optionalString("fail_mode")).contains("secure");
  }

  @Test
  void refusalNamesOperationAndReasonAndChangesNothing() throws Exception {
    List<Operation> twice = new ArrayList<>(bridge("br0"));
    twice.add(new Operation.Insert("Bridge", "second", Map.of("nope", Value.of("x"))));
    var refused = failure(client.transact(twice));
    assertThat(refused.kind()).isEqualTo(Kind.REJECTED);
    assertThat(refused).hasMessageContaining("operation 3 of 3 (insert Bridge)");
    assertThat(refused).hasMessageContaining("nope");
    get(client.transact(bridge("br1")));
    assertThat(snapshot().rows("Bridge")).hasSize(1);
  }

  @Test
  void commitThatBreaksAConstraintIsRejected() throws Exception {
    get(client.transact(bridge("br0")));
    var refused = failure(client.transact(bridge("br0")));
    assertThat(refused.kind()).isEqualTo(Kind.REJECTED);
    assertThat(refused).hasMessageContaining("commit: constraint violation");
  }

  @Test
  void failedAssertionIsRejected() throws Exception {
    var refused =
        failure(
            client.transact(
                List.of(
                    new Operation.Wait(
                        "Open_vSwitch",
                        List.of(),
                        Operation.Until.EQUAL,
                        List.of("next_cfg"),
                        List.of(Map.of("next_cfg", Value.of(99)))))));
    assertThat(refused.kind()).isEqualTo(Kind.REJECTED);
    assertThat(refused).hasMessageContaining("operation 1 of 1 (wait Open_vSwitch): timed out");
  }

  @Test
  void thousandInterfacesInOneTransaction() throws Exception {
    List<Value.Atom> ports = new ArrayList<>();
    List<Operation> all = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      all.add(
          new Operation.Insert(
              "Interface",
              "if" + i,
              Map.of(
                  "name", Value.of("if" + i),
                  "type", Value.of("vxlan"),
                  "options", Value.stringMap(Map.of("remote_ip", "flow", "key", "flow")))));
      all.add(
          new Operation.Insert(
              "Port",
              "p" + i,
              Map.of("name", Value.of("if" + i), "interfaces", Value.named("if" + i))));
      ports.add(new Value.Named("p" + i));
    }
    all.add(
        new Operation.Insert(
            "Bridge", "br", Map.of("name", Value.of("br0"), "ports", Value.set(ports))));
    all.add(
        new Operation.Mutate(
            "Open_vSwitch", List.of(), List.of(Mutation.insert("bridges", Value.named("br")))));
    TransactionResult result = get(client.transact(all));
    OvsdbSnapshot now = snapshot();
    assertThat(now.rows("Interface")).hasSize(1000);
    Row bridge = now.row("Bridge", result.inserted(2000)).orElseThrow();
    assertThat(bridge.uuids("ports")).isEqualTo(now.table("Port").keySet());
    Row first = now.row("Interface", result.inserted(0)).orElseThrow();
    assertThat(first.stringMap("options")).isEqualTo(Map.of("remote_ip", "flow", "key", "flow"));
    assertThat(first.optionalInteger("ofport")).isEmpty();
  }

  @Test
  void listsDatabases() throws Exception {
    assertThat(get(client.listDatabases())).contains("Open_vSwitch", "_Server");
  }

  @Test
  void monitoringAColumnThatIsNotThereSaysSo() throws Exception {
    fixture.start(OvsdbConfig.of(server.unix(), Map.of("Bridge", Set.of("nope"))));
    var cause = fixture.events.next(RecordingListener.Disconnected.class).cause();
    assertThat(cause.kind()).isEqualTo(Kind.PROTOCOL);
    assertThat(cause).hasMessageContaining("no column Bridge.nope");
  }

  private static final java.time.Duration LIMIT = java.time.Duration.ofSeconds(10);

  private OvsdbSnapshot snapshot() {
    return client.snapshot().orElseThrow();
  }

  private Row awaitBridge(String name, String key, String value) throws Exception {
    Value wanted = Value.of(name);
    OvsdbSnapshot met =
        get(
            client.await(
                now -> now.rows("Bridge").stream().anyMatch(row -> has(row, wanted, key, value)),
                LIMIT,
                name + " has no " + key + "=" + value));
    return met.rows("Bridge").stream().filter(row -> has(row, wanted, key, value)).findAny().get();
  }

  private static boolean has(Row row, Value name, String key, String value) {
    return name.equals(row.columns().get("name"))
        && row.columns().get("external_ids") instanceof Value.MapOf ids
        && new Value.Text(value).equals(ids.pairs().get(new Value.Text(key)));
  }

  static List<Operation> bridge(String name) {
    return List.of(
        new Operation.Insert("Bridge", "br", Map.of("name", Value.of(name))),
        new Operation.Mutate(
            "Open_vSwitch", List.of(), List.of(Mutation.insert("bridges", Value.named("br")))));
  }
}
