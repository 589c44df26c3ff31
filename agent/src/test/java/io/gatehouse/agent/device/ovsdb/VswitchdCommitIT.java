package io.gatehouse.agent.device.ovsdb;

import static io.gatehouse.agent.device.ovsdb.ClientFixture.MONITORED;
import static io.gatehouse.agent.device.ovsdb.ClientFixture.failure;
import static io.gatehouse.agent.device.ovsdb.ClientFixture.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.agent.device.ovsdb.RecordingListener.Connected;
import io.gatehouse.model.net.InvalidValueException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** next_cfg and cur_cfg with a real ovs-vswitchd on dummy devices: it touches no interface. */
class VswitchdCommitIT {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  @TempDir private Path directory;

  private OvsdbServerProcess server;
  private ClientFixture fixture;
  private OvsdbClient client;
  private VswitchdCommit commit;
  private @Nullable Process vswitchd;

  @BeforeEach
  void connect() throws Exception {
    server = OvsdbServerProcess.start(directory);
    fixture = new ClientFixture();
    client = fixture.start(OvsdbConfig.of(server.unix(), MONITORED));
    fixture.events.next(Connected.class);
    commit = new VswitchdCommit(client);
  }

  @AfterEach
  void close() throws Exception {
    fixture.close();
    if (vswitchd != null) {
      vswitchd.destroyForcibly().waitFor();
    }
    server.close();
  }

  @Test
  void withoutVswitchdTheLimitEndsTheWaitAndTheDataIsThere() throws Exception {
    DeviceException late =
        failure(commit.commit(OvsdbClientIT.bridge("br0"), Duration.ofSeconds(3)));
    assertThat(late.kind()).isEqualTo(Kind.UNREACHABLE);
    assertThat(late).hasMessage("ovs-vswitchd did not pick up the configuration within 3 s");
    assertThat(client.snapshot().orElseThrow().rows("Bridge")).hasSize(1);
  }

  @Test
  void completesWhenVswitchdHasTakenTheConfiguration() throws Exception {
    startVswitchd();
    for (int i = 0; i < 5; i++) {
      List<Operation> bridge = dummyBridge("br" + i);
      TransactionResult result = get(commit.commit(bridge, LIMIT));
      assertThat(result.outcomes()).hasSameSizeAs(bridge);
      Row port = client.snapshot().orElseThrow().row("Interface", result.inserted(0)).orElseThrow();
      assertThat(port.optionalInteger("ofport")).as("of bridge %d", i).hasValue(0xfffe);
    }
  }

  @Test
  void counterThatWasSetBackIsNotMistakenForDone() throws Exception {
    server.vsctl("set", "open_vswitch", ".", "next_cfg=0", "cur_cfg=7");
    DeviceException late = failure(commit.commit(List.of(), Duration.ofSeconds(3)));
    assertThat(late).hasMessageContaining("did not pick up");
    Row root = client.snapshot().orElseThrow().single("Open_vSwitch");
    assertThat(root.integer("next_cfg")).isEqualTo(8);
    startVswitchd();
    get(commit.commit(List.of(), LIMIT));
  }

  @Test
  void rejectedTransactionDoesNotWait() throws Exception {
    List<Operation> wrong = List.of(new Operation.Insert("Bridge", "b", Map.of()));
    List<Operation> twice = List.of(wrong.get(0), new Operation.Delete("Nope", List.of()));
    assertThat(failure(commit.commit(twice, LIMIT)).kind()).isEqualTo(Kind.REJECTED);
  }

  @Test
  void clientThatDoesNotSeeCurCfgIsRefused() {
    OvsdbClient blind =
        fixture.start(OvsdbConfig.of(server.unix(), Map.of("Bridge", Set.of("name"))));
    assertThatThrownBy(() -> new VswitchdCommit(blind))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("lacks Open_vSwitch.cur_cfg");
  }

  private static List<Operation> dummyBridge(String name) {
    return List.of(
        new Operation.Insert(
            "Interface", "i", Map.of("name", Value.of(name), "type", Value.of("internal"))),
        new Operation.Insert(
            "Port", "p", Map.of("name", Value.of(name), "interfaces", Value.named("i"))),
        new Operation.Insert(
            "Bridge",
            "b",
            Map.of(
                "name", Value.of(name),
                "ports", Value.named("p"),
                "datapath_type", Value.of("dummy"))),
        new Operation.Mutate(
            "Open_vSwitch",
            List.of(),
            List.of(Operation.Mutation.insert("bridges", Value.named("b")))));
  }

  private void startVswitchd() throws IOException {
    ProcessBuilder command =
        new ProcessBuilder(
                "ovs-vswitchd",
                "unix:" + server.socket(),
                "--enable-dummy=override",
                "--disable-system",
                "--disable-system-route",
                "--unixctl=" + directory.resolve("vswitchd.ctl"),
                "-vconsole:off",
                "--log-file=" + directory.resolve("vswitchd.log"))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("vswitchd.out").toFile());
    command.environment().put("OVS_RUNDIR", directory.toString());
    vswitchd = command.start();
  }
}
