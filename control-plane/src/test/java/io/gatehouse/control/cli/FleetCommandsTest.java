package io.gatehouse.control.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import io.gatehouse.proto.v1.ChangeKind;
import io.gatehouse.proto.v1.Component;
import io.gatehouse.proto.v1.ComponentState;
import io.gatehouse.proto.v1.ComponentStatus;
import io.gatehouse.proto.v1.Dpu;
import io.gatehouse.proto.v1.DpuStatus;
import io.gatehouse.proto.v1.ExplainPortResponse;
import io.gatehouse.proto.v1.Laggard;
import io.gatehouse.proto.v1.Port;
import io.gatehouse.proto.v1.PortObservation;
import io.gatehouse.proto.v1.PortState;
import io.gatehouse.proto.v1.PortStatus;
import io.gatehouse.proto.v1.ResourceChange;
import io.gatehouse.proto.v1.WatchChangesResponse;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FleetCommandsTest {
  @TempDir Path directory;
  private CliFixture cli;

  @BeforeEach
  void populate() throws IOException {
    cli = new CliFixture(directory);
    cli.ok("tenant", "create", "acme");
    cli.ok("dpu", "create", "dpu1", "--vtep", "192.0.2.1");
    cli.ok("dpu", "create", "dpu2", "--vtep", "192.0.2.2");
    cli.ok("network", "create", "acme/blue", "--ipv4", "10.0.0.0/24");
    cli.ok("port", "create", "acme/blue/web-1", "--dpu", "dpu1", "--function", "pf0vf0");
    cli.controlPlane.fleet.report(
        Dpu.newBuilder()
            .setName("dpus/dpu1")
            .setStatus(
                DpuStatus.newBuilder()
                    .setConnected(true)
                    .setDesiredRevision(5)
                    .setAppliedRevision(5)
                    .setLastSeenTime(Timestamp.newBuilder().setSeconds(1_785_578_577))
                    .addComponents(
                        ComponentStatus.newBuilder()
                            .setComponent(Component.COMPONENT_OVSDB)
                            .setState(ComponentState.COMPONENT_STATE_OK))
                    .addComponents(
                        ComponentStatus.newBuilder()
                            .setComponent(Component.COMPONENT_GUARD)
                            .setState(ComponentState.COMPONENT_STATE_FAILED)
                            .setDetail("table is gone")))
            .build());
  }

  @AfterEach
  void stop() {
    cli.close();
  }

  @Test
  void statusShowsHowFarThingsAreAndWhoIsBehind() {
    cli.controlPlane.fleet.laggards.add(
        Laggard.newBuilder()
            .setDpu("dpus/dpu2")
            .setDesiredRevision(5)
            .setAppliedRevision(3)
            .build());
    assertThat(cli.ok("status"))
        .isEqualTo(
            """
            revision 5, applied everywhere up to 3; 1 of 2 DPUs are current
            tenants 1, networks 1, ports 1

            DPU   CONNECTED  DESIRED  APPLIED  NOT OK                        PROBLEMS  LAST SEEN
            dpu1  yes        5        5        GUARD FAILED (table is gone)  -         3 s ago
            dpu2  no         0        0        -                             -         -

            BEHIND  APPLIED  DESIRED  REASON
            dpu2    3        5        not connected
            """);
  }

  @Test
  void statusNamesNetworksThatPathsLimit() {
    assertThat(cli.ok("status")).doesNotContain("by paths");
    cli.controlPlane.fleet.lowered.add("tenants/acme/networks/blue");
    for (String id : new String[] {"a", "b", "c"}) {
      cli.controlPlane.fleet.degraded.add("tenants/acme/networks/" + id);
    }
    assertThat(cli.ok("status"))
        .contains(
            """
            tenants 1, networks 1, ports 1
            degraded by paths: acme/a, acme/b and 1 more
            lowered by paths: acme/blue
            """);
    assertThat(cli.ok("status", "-o", "json")).contains("\"degraded_network_count\": 3");
  }

  @Test
  void statusOfAScopeShowsItsDpus() {
    assertThat(cli.ok("status", "acme")).contains("dpu1").doesNotContain("dpu2");
    assertThat(cli.ok("status", "acme/blue")).contains("dpu1").doesNotContain("dpu2");
    assertThat(cli.ok("status", "dpus/dpu2")).contains("dpu2").doesNotContain("dpu1");
    assertThat(cli.ok("status", "-o", "json"))
        .startsWith("{\"status\": {\n  \"revision\": \"5\",")
        .contains("\"dpus\": [{\n  \"name\": \"dpus/dpu1\"");
  }

  @Test
  void waitReturnsWhenTheRevisionIsReal() {
    assertThat(cli.ok("wait", "4", "--scope", "acme"))
        .isEqualTo("applied up to revision 5 on 2 of 2 DPUs\n");
    assertThat(cli.controlPlane.fleet.waitedFor).containsExactly("4 tenants/acme");
  }

  @Test
  void aLongWaitTellsOnceWhatItWaitsFor() {
    cli.controlPlane.fleet.laggards.add(
        Laggard.newBuilder()
            .setDpu("dpus/dpu2")
            .setDesiredRevision(5)
            .setAppliedRevision(3)
            .setConnected(true)
            .build());
    cli.controlPlane.fleet.reachedAtWait = 3;
    CliFixture.Result result = cli.run("wait", "0");
    assertThat(result.code()).isZero();
    assertThat(result.err())
        .isEqualTo(
            "waiting for revision 5: 1 of 2 DPUs are current; behind: dpus/dpu2 is at 3 of 5\n");
    assertThat(cli.controlPlane.fleet.waitedFor).hasSize(3);
  }

  @Test
  void watchPrintsALineAChange() {
    for (int revision : new int[] {4, 5}) {
      cli.controlPlane.fleet.changes.add(
          WatchChangesResponse.newBuilder()
              .setRevision(revision)
              .setTime(FakeStore.NOW)
              .setActor("operators/admin")
              .addChanges(change("tenants/acme", ChangeKind.CHANGE_KIND_UPDATED))
              .addChanges(change("tenants/beta", ChangeKind.CHANGE_KIND_DELETED))
              .build());
    }
    assertThat(cli.ok("watch", "--from", "4"))
        .isEqualTo(
            """
            5        2026-08-01T10:00:00Z  operators/admin  updated  tenants/acme
            5        2026-08-01T10:00:00Z  operators/admin  deleted  tenants/beta
            """);
    assertThat(cli.ok("watch", "-o", "json").lines())
        .hasSize(2)
        .first()
        .asString()
        .startsWith("{\"revision\":\"4\",\"time\":\"2026-08-01T10:00:00Z\"");
    assertThat(cli.run("watch", "--from", "99").code()).isEqualTo(4);
  }

  @Test
  void explainShowsWhereAPortIsAndItsFlowsByTable() {
    cli.controlPlane.explanation = FleetCommandsTest::explained;
    assertThat(cli.ok("explain", "acme/blue/web-1"))
        .isEqualTo(
            """
            port         acme/blue/web-1
            network      acme/blue, VNI 5001
            dpu          dpu1, function pf0vf0
            device       veth1, OpenFlow port 3
            mac          02:00:00:00:00:0a
            addresses    10.0.0.10
            admin state  ENABLED
            state        PENDING at revision 4: waits for the guard

            why it is not ready
              guard: table is gone

            3 flows, as read back at revision 5
              table 0 CLASSIFY
                table=0, priority=100,in_port=3 actions=resubmit(,10)
              table 10 SOURCE_GUARD
                table=10, priority=90,arp,in_port=3 actions=resubmit(,20)
                table=10, priority=80,ip,in_port=3 actions=resubmit(,20)
            """);
  }

  @Test
  void explainOfADpuThatIsAwayShowsTheRestAndIs6() {
    cli.controlPlane.explanation =
        port ->
            ExplainPortResponse.newBuilder()
                .setPort(port)
                .setNetwork("tenants/acme/networks/blue")
                .setVni(5001)
                .setUnavailable("dpus/dpu1 is not connected")
                .build();
    CliFixture.Result result = cli.run("explain", "acme/blue/web-1");
    assertThat(result.code()).isEqualTo(6);
    assertThat(result.out()).contains("dpu          dpu1, function pf0vf0");
    assertThat(result.err())
        .isEqualTo("gatehouse: what the DPU runs is not known: dpus/dpu1 is not connected\n");
  }

  @Test
  void completionAndVersionNeedNoControlPlane() {
    assertThat(cli.ok("completion", "bash")).contains("complete -F _complete_gatehouse");
    assertThat(cli.ok("version")).startsWith("gatehouse ");
  }

  private static ResourceChange change(String name, ChangeKind kind) {
    return ResourceChange.newBuilder().setName(name).setKind(kind).build();
  }

  private static ExplainPortResponse explained(Port port) {
    return ExplainPortResponse.newBuilder()
        .setPort(
            port.toBuilder()
                .setStatus(
                    PortStatus.newBuilder()
                        .setState(PortState.PORT_STATE_PENDING)
                        .setRevision(4)
                        .setReason("waits for the guard")))
        .setNetwork("tenants/acme/networks/blue")
        .setVni(5001)
        .setObservation(
            PortObservation.newBuilder()
                .setDevice("veth1")
                .setOpenflowPort(3)
                .setRevision(5)
                .addProblems("guard: table is gone")
                .addFlows("table=0, priority=100,in_port=3 actions=resubmit(,10)")
                .addFlows("table=10, priority=90,arp,in_port=3 actions=resubmit(,20)")
                .addFlows("table=10, priority=80,ip,in_port=3 actions=resubmit(,20)"))
        .build();
  }
}
