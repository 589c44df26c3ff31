package io.gatehouse.control;

import static io.gatehouse.control.testing.TestControlPlane.createDpu;
import static io.gatehouse.control.testing.TestControlPlane.createPort;
import static io.gatehouse.control.testing.TestControlPlane.createTenant;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.util.Durations;
import io.gatehouse.control.publish.FakeAgent;
import io.gatehouse.control.testing.AnyCall;
import io.gatehouse.control.testing.Eventually;
import io.gatehouse.control.testing.GrpcAgent;
import io.gatehouse.control.testing.TestControlPlane;
import io.gatehouse.control.testing.TestPki;
import io.gatehouse.proto.v1.AuditServiceGrpc;
import io.gatehouse.proto.v1.CreateOperatorRequest;
import io.gatehouse.proto.v1.DeleteOperatorRequest;
import io.gatehouse.proto.v1.DpuServiceGrpc;
import io.gatehouse.proto.v1.ExplainPortRequest;
import io.gatehouse.proto.v1.FleetServiceGrpc;
import io.gatehouse.proto.v1.GetDpuRequest;
import io.gatehouse.proto.v1.GetIsolationProofRequest;
import io.gatehouse.proto.v1.IsolationServiceGrpc;
import io.gatehouse.proto.v1.ListIsolationProofsRequest;
import io.gatehouse.proto.v1.ListNetworksRequest;
import io.gatehouse.proto.v1.ListTenantsRequest;
import io.gatehouse.proto.v1.Network;
import io.gatehouse.proto.v1.NetworkServiceGrpc;
import io.gatehouse.proto.v1.Operator;
import io.gatehouse.proto.v1.OperatorServiceGrpc;
import io.gatehouse.proto.v1.PortServiceGrpc;
import io.gatehouse.proto.v1.Role;
import io.gatehouse.proto.v1.TenantServiceGrpc;
import io.gatehouse.proto.v1.VerifyAuditRequest;
import io.gatehouse.proto.v1.VerifyIsolationRequest;
import io.gatehouse.proto.v1.VerifyIsolationResponse;
import io.gatehouse.proto.v1.WaitForRevisionRequest;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two control planes on one PostgreSQL, each with half of the agents, are one. */
final class TwoControlPlanesIT {
  @TempDir Path directory = Path.of("");

  private PostgresServer postgres;
  private TestPki pki;
  private TestControlPlane east;
  private TestControlPlane west;
  private ManagedChannel atEast;
  private ManagedChannel atWest;

  @BeforeEach
  void start() throws Exception {
    postgres = PostgresServer.start();
    String url = postgres.newDatabase();
    pki = new TestPki(directory);
    east = TestControlPlane.start(url, pki.server());
    west = TestControlPlane.start(url, pki.server());
    atEast = east.channel(pki.operator("admin"));
    atWest = west.channel(pki.operator("admin"));
    createDpu(atEast, "d1", "172.31.0.1");
    createDpu(atEast, "d2", "172.31.0.2");
    createTenant(atEast, "acme");
  }

  @AfterEach
  void stop() {
    east.close();
    west.close();
    postgres.close();
  }

  @Test
  void aRoleTakenAwayAtOneIsGoneAtTheOther() {
    OperatorServiceGrpc.newBlockingStub(atEast)
        .createOperator(
            CreateOperatorRequest.newBuilder()
                .setOperator(
                    Operator.newBuilder().setName("operators/ann").setRole(Role.ROLE_AUDITOR))
                .build());
    ManagedChannel ann = west.channel(pki.operator("ann"));
    Eventually.holds("the role is there", () -> list(ann) == Status.Code.OK);
    OperatorServiceGrpc.newBlockingStub(atEast)
        .deleteOperator(DeleteOperatorRequest.newBuilder().setName("operators/ann").build());
    Eventually.holds("the role is gone", () -> list(ann) == Status.Code.PERMISSION_DENIED);
  }

  @Test
  void refusalsOfBothAreInOneChain() {
    list(east.channel(pki.operator("nobody")));
    list(west.channel(pki.operator("nobody")));
    AuditServiceGrpc.AuditServiceBlockingStub audit = AuditServiceGrpc.newBlockingStub(atWest);
    Eventually.holds(
        "both are written",
        () ->
            audit
                    .verifyAudit(VerifyAuditRequest.getDefaultInstance())
                    .getVerdicts(1)
                    .getIntactRowCount()
                == 2);
    assertThat(audit.verifyAudit(VerifyAuditRequest.getDefaultInstance()).getVerdictsList())
        .allMatch(verdict -> verdict.getProblem().isEmpty());
  }

  private static Status.Code list(ManagedChannel channel) {
    return AnyCall.status(
            () ->
                TenantServiceGrpc.newBlockingStub(channel)
                    .listTenants(ListTenantsRequest.getDefaultInstance()))
        .getCode();
  }

  @Test
  void aChangeMadeAtOneIsRealAtTheAgentsOfTheOther() {
    GrpcAgent d1 = agent("d1", east);
    GrpcAgent d2 = agent("d2", west);
    createPort(atEast, "acme", "web", "d1");
    long revision = createPort(atEast, "acme", "db", "d2");
    assertThat(await(atEast, revision)).isTrue();
    assertThat(await(atWest, revision)).isTrue();
    assertThat(d1.holds("tenants/acme/networks/blue/ports/db")).isTrue();
    assertThat(d2.holds("tenants/acme/networks/blue/ports/web")).isTrue();
    Eventually.holds("d2 is connected, as seen from the east", () -> connected(atEast, "d2"));
    ExplainPortRequest explain =
        ExplainPortRequest.newBuilder().setName("tenants/acme/networks/blue/ports/db").build();
    assertThat(PortServiceGrpc.newBlockingStub(atEast).explainPort(explain).getUnavailable())
        .contains("another control plane");
  }

  @Test
  void aProofMadeAtOneIsShownByTheOther() {
    GrpcAgent d2 = agent("d2", west);
    long revision = createPort(atWest, "acme", "db", "d2");
    assertThat(await(atWest, revision)).isTrue();
    VerifyIsolationResponse made = verify(atWest, "dpus/d2");
    assertThat(made.getProof().getWalkedPacketCount()).isEqualTo(GrpcAgent.PROVED_PACKETS);
    assertThat(made.getProof().getRevision()).isEqualTo(d2.revision());
    IsolationServiceGrpc.IsolationServiceBlockingStub other =
        IsolationServiceGrpc.newBlockingStub(atEast);
    Eventually.holds(
        "the proof is there",
        () ->
            other
                .listIsolationProofs(ListIsolationProofsRequest.getDefaultInstance())
                .getProofsList()
                .equals(List.of(made.getProof())));
    assertThat(
            other.getIsolationProof(
                GetIsolationProofRequest.newBuilder().setName("dpus/d2").build()))
        .isEqualTo(made.getProof());
  }

  @Test
  void whoIsAskedForAProofOfAnAgentOfTheOtherSaysWhereToAsk() {
    agent("d2", west);
    Eventually.holds("d2 is connected, as seen from the east", () -> connected(atEast, "d2"));
    VerifyIsolationResponse answer = verify(atEast, "dpus/d2");
    assertThat(answer.hasProof()).isFalse();
    assertThat(answer.getUnavailable())
        .isEqualTo("dpus/d2 is connected to another control plane; ask there");
  }

  private static VerifyIsolationResponse verify(ManagedChannel channel, String scope) {
    return IsolationServiceGrpc.newBlockingStub(channel)
        .verifyIsolation(VerifyIsolationRequest.newBuilder().setScope(scope).build())
        .next();
  }

  @Test
  void eitherMayDie() {
    FakeAgent memory = new FakeAgent(FakeAgent.Mode.STAGED);
    GrpcAgent d1 = agent("d1", east);
    GrpcAgent before = new GrpcAgent(memory);
    before.connect(west.channel(pki.dpu("d2")));
    long revision = createPort(atWest, "acme", "db", "d2");
    assertThat(await(atWest, revision)).isTrue();
    west.stop();
    Eventually.holds("d2 is sent away", () -> before.end().isPresent());
    GrpcAgent after = new GrpcAgent(memory);
    after.connect(east.channel(pki.dpu("d2")));
    long next = createPort(atEast, "acme", "web", "d1");
    assertThat(await(atEast, next)).isTrue();
    assertThat(after.revision()).isGreaterThanOrEqualTo(next);
    assertThat(d1.end()).isEmpty();
    assertThat(connected(atEast, "d2")).isTrue();
  }

  @Test
  void anAgentThatMovesIsConnectedOnce() {
    FakeAgent memory = new FakeAgent(FakeAgent.Mode.STAGED);
    GrpcAgent first = new GrpcAgent(memory);
    first.connect(east.channel(pki.dpu("d1")));
    Eventually.holds("d1 is connected, as seen from the west", () -> connected(atWest, "d1"));
    GrpcAgent second = new GrpcAgent(memory);
    second.connect(west.channel(pki.dpu("d1")));
    Eventually.holds("the stream in the east is ended", () -> first.end().isPresent());
    assertThat(await(atEast, createPort(atWest, "acme", "web", "d1"))).isTrue();
    assertThat(second.end()).isEmpty();
    assertThat(connected(atEast, "d1")).isTrue();
  }

  @Test
  void noVniIsGivenTwice() {
    for (int i = 0; i < 20; i++) {
      createTenant(i % 2 == 0 ? atEast : atWest, "t" + i);
    }
    assertThat(
            NetworkServiceGrpc.newBlockingStub(atEast)
                .listNetworks(
                    ListNetworksRequest.newBuilder()
                        .setParent("tenants/-")
                        .setPageSize(100)
                        .build())
                .getNetworksList())
        .extracting(Network::getVni)
        .hasSizeGreaterThanOrEqualTo(20)
        .doesNotHaveDuplicates();
  }

  private GrpcAgent agent(String dpu, TestControlPlane controlPlane) {
    GrpcAgent agent = new GrpcAgent(new FakeAgent(FakeAgent.Mode.STAGED));
    agent.connect(controlPlane.channel(pki.dpu(dpu)));
    return agent;
  }

  private static boolean await(ManagedChannel operator, long revision) {
    return FleetServiceGrpc.newBlockingStub(operator)
        .waitForRevision(
            WaitForRevisionRequest.newBuilder()
                .setRevision(revision)
                .setScope("tenants/acme")
                .setTimeout(Durations.fromSeconds(60))
                .build())
        .getReached();
  }

  private static boolean connected(ManagedChannel operator, String dpu) {
    return DpuServiceGrpc.newBlockingStub(operator)
        .getDpu(GetDpuRequest.newBuilder().setName("dpus/" + dpu).build())
        .getDpu()
        .getStatus()
        .getConnected();
  }
}
