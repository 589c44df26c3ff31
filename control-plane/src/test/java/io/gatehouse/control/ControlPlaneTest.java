package io.gatehouse.control;

import static io.gatehouse.control.testing.TestControlPlane.createDpu;
import static io.gatehouse.control.testing.TestControlPlane.createPort;
import static io.gatehouse.control.testing.TestControlPlane.createTenant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.util.Durations;
import io.gatehouse.control.publish.FakeAgent;
import io.gatehouse.control.testing.Eventually;
import io.gatehouse.control.testing.GrpcAgent;
import io.gatehouse.control.testing.TestControlPlane;
import io.gatehouse.control.testing.TestPki;
import io.gatehouse.proto.v1.DeleteDpuRequest;
import io.gatehouse.proto.v1.DeleteNetworkRequest;
import io.gatehouse.proto.v1.DeletePortRequest;
import io.gatehouse.proto.v1.DpuServiceGrpc;
import io.gatehouse.proto.v1.ExplainPortRequest;
import io.gatehouse.proto.v1.FleetServiceGrpc;
import io.gatehouse.proto.v1.GetDpuRequest;
import io.gatehouse.proto.v1.GetFleetStatusRequest;
import io.gatehouse.proto.v1.GetFleetStatusResponse;
import io.gatehouse.proto.v1.GetPortRequest;
import io.gatehouse.proto.v1.NetworkServiceGrpc;
import io.gatehouse.proto.v1.Port;
import io.gatehouse.proto.v1.PortServiceGrpc;
import io.gatehouse.proto.v1.PortState;
import io.gatehouse.proto.v1.SyncRequest;
import io.gatehouse.proto.v1.WaitForRevisionRequest;
import io.gatehouse.proto.v1.WaitForRevisionResponse;
import io.gatehouse.proto.v1.WatchChangesRequest;
import io.gatehouse.proto.v1.WatchChangesResponse;
import io.gatehouse.runtime.tls.TlsFiles;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.Iterator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole control plane on SQLite, over TLS on loopback, with fake agents. */
final class ControlPlaneTest {
  private static final String WEB = "tenants/acme/networks/blue/ports/web";

  @TempDir Path directory = Path.of("");

  private TestPki pki;
  private TestControlPlane controlPlane;
  private ManagedChannel operator;

  @BeforeEach
  void start() throws Exception {
    pki = new TestPki(directory);
    controlPlane = TestControlPlane.start(url(), pki.server());
    operator = controlPlane.channel(pki.operator("admin"));
    createDpu(operator, "d1", "172.31.0.1");
    createDpu(operator, "d2", "172.31.0.2");
    createTenant(operator, "acme");
  }

  @AfterEach
  void stop() {
    controlPlane.close();
  }

  @Test
  void aPortReachesItsDpuAndIsVerified() {
    GrpcAgent d1 = agent("d1");
    GrpcAgent d2 = agent("d2");
    createPort(operator, "acme", "web", "d1");
    long revision = createPort(operator, "acme", "db", "d2");
    WaitForRevisionResponse waited = await(revision, "");
    assertThat(waited.getReached()).isTrue();
    assertThat(waited.getStatus().getAppliedRevision()).isEqualTo(revision);
    assertThat(waited.getStatus().getCurrentDpuCount()).isEqualTo(2);
    assertThat(d1.holds(WEB)).isTrue();
    assertThat(d1.holds("dpus/d2")).isTrue();
    assertThat(d2.holds(WEB)).isTrue();
    Port port = port(WEB);
    assertThat(port.getStatus().getState()).isEqualTo(PortState.PORT_STATE_READY);
    assertThat(port.getStatus().getRevision()).isEqualTo(revision);
    assertThat(controlPlane.metrics())
        .contains("gatehouse_verified_ack_seconds_count")
        .contains("gatehouse_publish_seconds_bucket")
        .contains("gatehouse_commit_seconds_count")
        .contains("gatehouse_sync_config_sent_bytes_total")
        .contains("gatehouse_sync_streams 2.0")
        .contains("gatehouse_journal_revision");
  }

  @Test
  void aWaitEndsAtItsTimeoutAndNamesTheLaggard() {
    agent("d1");
    createPort(operator, "acme", "web", "d1");
    long revision = createPort(operator, "acme", "db", "d2");
    WaitForRevisionResponse waited =
        FleetServiceGrpc.newBlockingStub(operator)
            .waitForRevision(
                WaitForRevisionRequest.newBuilder()
                    .setRevision(revision)
                    .setScope("tenants/acme")
                    .setTimeout(Durations.fromMillis(300))
                    .build());
    assertThat(waited.getReached()).isFalse();
    assertThat(waited.getStatus().getLaggardsList())
        .extracting(l -> l.getDpu())
        .contains("dpus/d2");
    assertThat(port("tenants/acme/networks/blue/ports/db").getStatus().getReason())
        .isEqualTo("dpus/d2 has never connected");
  }

  @Test
  void aDeletedPortIsWaitedForWhereItWas() {
    GrpcAgent d1 = agent("d1");
    createPort(operator, "acme", "web", "d1");
    long revision = deletePort(WEB);
    assertThat(await(revision, "tenants/acme/networks/blue").getReached()).isTrue();
    assertThat(d1.holds(WEB)).isFalse();
  }

  @Test
  void anAgentThatComesBackIsSentNothingItHas() {
    FakeAgent memory = new FakeAgent(FakeAgent.Mode.STAGED);
    ManagedChannel channel = controlPlane.channel(pki.dpu("d1"));
    GrpcAgent first = new GrpcAgent(memory);
    first.connect(channel);
    await(createPort(operator, "acme", "web", "d1"), "dpus/d1");
    long bytes = first.configBytes();
    GrpcAgent second = new GrpcAgent(memory);
    second.connect(channel);
    Eventually.holds("the first stream is replaced", () -> first.end().isPresent());
    assertThat(first.end().orElseThrow().getCode()).isEqualTo(Status.Code.ABORTED);
    await(createPort(operator, "acme", "web2", "d1"), "dpus/d1");
    assertThat(second.configBytes() - bytes).isBetween(1L, 400L);
  }

  @Test
  void aRemovedDpuLosesItsStream() {
    GrpcAgent d1 = agent("d1");
    await(0, "dpus/d1");
    DpuServiceGrpc.newBlockingStub(operator)
        .deleteDpu(DeleteDpuRequest.newBuilder().setName("dpus/d1").build());
    Eventually.holds("the stream ends", () -> d1.end().isPresent());
    assertThat(d1.end().orElseThrow().getCode()).isEqualTo(Status.Code.NOT_FOUND);
  }

  @Test
  void anExplanationComesFromTheDpu() {
    createPort(operator, "acme", "web", "d1");
    PortServiceGrpc.PortServiceBlockingStub ports = PortServiceGrpc.newBlockingStub(operator);
    ExplainPortRequest request = ExplainPortRequest.newBuilder().setName(WEB).build();
    assertThat(ports.explainPort(request).getUnavailable()).isEqualTo("dpus/d1 is not connected");
    agent("d1");
    await(0, "dpus/d1");
    assertThat(ports.explainPort(request).getObservation().getDevice()).isEqualTo("pf0vf0");
  }

  @Test
  void theVniOfARemovedNetworkRestsUntilItsDpusHaveConfirmed() {
    createPort(operator, "acme", "web", "d1");
    deletePort(WEB);
    NetworkServiceGrpc.newBlockingStub(operator)
        .deleteNetwork(
            DeleteNetworkRequest.newBuilder().setName("tenants/acme/networks/blue").build());
    assertThat(controlPlane.metrics()).contains("gatehouse_vnis_resting 1.0");
    agent("d1");
    Eventually.holds(
        "the VNI is given back",
        () -> controlPlane.metrics().contains("gatehouse_vnis_resting 0.0"));
  }

  @Test
  void changesAreWatchedFromTheJournalAndLive() {
    createPort(operator, "acme", "web", "d1");
    Iterator<WatchChangesResponse> changes =
        FleetServiceGrpc.newBlockingStub(operator)
            .watchChanges(WatchChangesRequest.newBuilder().setAfterRevision(2).build());
    assertThat(changes.next().getChanges(0).getName()).isEqualTo("dpus/d2");
    assertThat(changes.next().getChanges(0).getName()).isEqualTo("tenants/acme");
    assertThat(changes.next().getActor()).isEqualTo("operators/admin");
    assertThat(changes.next().getChangesList()).extracting(c -> c.getName()).contains(WEB);
    deletePort(WEB);
    assertThat(changes.next().getChanges(0).getName()).isEqualTo(WEB);
  }

  @Test
  void statusesOutliveARestart() throws Exception {
    agent("d1");
    await(createPort(operator, "acme", "web", "d1"), "dpus/d1");
    controlPlane.close();
    controlPlane = TestControlPlane.start(url(), pki.server());
    operator = controlPlane.channel(pki.operator("admin"));
    GetFleetStatusResponse status =
        FleetServiceGrpc.newBlockingStub(operator)
            .getFleetStatus(GetFleetStatusRequest.newBuilder().setScope("dpus/d1").build());
    assertThat(status.getCurrentDpuCount()).isEqualTo(1);
    var dpu =
        DpuServiceGrpc.newBlockingStub(operator)
            .getDpu(GetDpuRequest.newBuilder().setName("dpus/d1").build())
            .getDpu();
    assertThat(dpu.getStatus().getConnected()).isFalse();
    assertThat(dpu.getStatus().getAgentVersion()).isEqualTo("fake");
  }

  @Test
  void aStopSendsTheAgentsElsewhere() {
    GrpcAgent d1 = agent("d1");
    await(0, "dpus/d1");
    controlPlane.stop();
    Eventually.holds("the stream ends", () -> d1.end().isPresent());
    assertThat(d1.end().orElseThrow().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void whoIsNotTrustedIsRefused() {
    assertRefused(pki.dpu("d1"), Status.Code.PERMISSION_DENIED);
    assertRefused(
        pki.named("URI:spiffe://elsewhere.test/operator/admin"), Status.Code.UNAUTHENTICATED);
    assertRefused(pki.named("DNS:gatehouse.test"), Status.Code.UNAUTHENTICATED);
    assertRefused(
        pki.named("URI:spiffe://gatehouse.test/operator/a,URI:spiffe://gatehouse.test/operator/b"),
        Status.Code.UNAUTHENTICATED);
    assertRefused(
        pki.stranger("URI:spiffe://gatehouse.test/operator/admin"), Status.Code.UNAVAILABLE);
    GrpcAgent impostor = new GrpcAgent(new FakeAgent(FakeAgent.Mode.STAGED));
    impostor.connect(operator);
    Eventually.holds("the stream ends", () -> impostor.end().isPresent());
    assertThat(impostor.end().orElseThrow().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
  }

  @Test
  void aMessageOutOfBoundsEndsTheStreamAndNothingElse() {
    GrpcAgent d1 = agent("d1");
    GrpcAgent d2 = agent("d2");
    await(0, "");
    d1.send(SyncRequest.getDefaultInstance());
    Eventually.holds("the stream ends", () -> d1.end().isPresent());
    assertThat(d1.end().orElseThrow().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    await(createPort(operator, "acme", "db", "d2"), "dpus/d2");
    assertThat(d2.end()).isEmpty();
  }

  private void assertRefused(TlsFiles client, Status.Code code) {
    ManagedChannel channel = controlPlane.channel(client);
    assertThatThrownBy(
            () ->
                FleetServiceGrpc.newBlockingStub(channel)
                    .getFleetStatus(GetFleetStatusRequest.getDefaultInstance()))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class, e -> assertThat(e.getStatus().getCode()).isEqualTo(code));
  }

  private GrpcAgent agent(String dpu) {
    GrpcAgent agent = new GrpcAgent(new FakeAgent(FakeAgent.Mode.STAGED));
    agent.connect(controlPlane.channel(pki.dpu(dpu)));
    return agent;
  }

  private WaitForRevisionResponse await(long revision, String scope) {
    return FleetServiceGrpc.newBlockingStub(operator)
        .waitForRevision(
            WaitForRevisionRequest.newBuilder()
                .setRevision(revision)
                .setScope(scope)
                .setTimeout(Durations.fromSeconds(60))
                .build());
  }

  private Port port(String name) {
    return PortServiceGrpc.newBlockingStub(operator)
        .getPort(GetPortRequest.newBuilder().setName(name).build())
        .getPort();
  }

  private long deletePort(String name) {
    return PortServiceGrpc.newBlockingStub(operator)
        .deletePort(DeletePortRequest.newBuilder().setName(name).build())
        .getRevision();
  }

  private String url() {
    return "jdbc:sqlite:" + directory.resolve("journal.db");
  }
}
