package io.gatehouse.control;

import static io.gatehouse.control.testing.TestControlPlane.createDpu;
import static io.gatehouse.control.testing.TestControlPlane.createPort;
import static io.gatehouse.control.testing.TestControlPlane.createTenant;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Duration;
import io.gatehouse.control.publish.FakeAgent;
import io.gatehouse.control.testing.GrpcAgent;
import io.gatehouse.control.testing.TestControlPlane;
import io.gatehouse.control.testing.TestPki;
import io.gatehouse.proto.v1.CreateNetworkRequest;
import io.gatehouse.proto.v1.CreatePeeringRequest;
import io.gatehouse.proto.v1.CreatePortRequest;
import io.gatehouse.proto.v1.DeletePeeringRequest;
import io.gatehouse.proto.v1.FleetServiceGrpc;
import io.gatehouse.proto.v1.Network;
import io.gatehouse.proto.v1.NetworkServiceGrpc;
import io.gatehouse.proto.v1.Peering;
import io.gatehouse.proto.v1.PeeringServiceGrpc;
import io.gatehouse.proto.v1.Port;
import io.gatehouse.proto.v1.PortServiceGrpc;
import io.gatehouse.proto.v1.WaitForRevisionRequest;
import io.grpc.ManagedChannel;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What agents are sent of a peering: acme's port is on d1, globex' on d2. */
class PeeringStreamTest {
  private static final String BLUE = "tenants/acme/networks/blue";
  private static final String GOLD = "tenants/globex/networks/gold";
  private static final String OF_ACME = BLUE + "/peerings/to-globex";
  private static final String OF_GLOBEX = GOLD + "/peerings/to-acme";

  @TempDir private Path directory = Path.of("");
  private TestPki pki;
  private TestControlPlane controlPlane;
  private ManagedChannel admin;

  @BeforeEach
  void start() throws Exception {
    pki = new TestPki(directory);
    restart();
    createDpu(admin, "d1", "172.31.0.1");
    createDpu(admin, "d2", "172.31.0.2");
    createTenant(admin, "acme");
    createTenant(admin, "globex");
    createPort(admin, "acme", "p", "d1");
    NetworkServiceGrpc.newBlockingStub(admin)
        .createNetwork(
            CreateNetworkRequest.newBuilder()
                .setNetwork(Network.newBuilder().setName(GOLD).setIpv4Cidr("10.2.0.0/16"))
                .build());
    PortServiceGrpc.newBlockingStub(admin)
        .createPort(
            CreatePortRequest.newBuilder()
                .setPort(
                    Port.newBuilder()
                        .setName(GOLD + "/ports/q")
                        .setDpu("dpus/d2")
                        .setFunction("pf0vfq"))
                .build());
  }

  @AfterEach
  void stop() {
    controlPlane.close();
  }

  @Test
  void agentsGetThePeerWithTheSecondConsentAndLoseItWithTheEnd() {
    GrpcAgent d1 = agent("d1");
    GrpcAgent d2 = agent("d2");
    applied(create(OF_ACME, GOLD));
    assertThat(ofPeer(d1)).containsOnly(false);
    applied(create(OF_GLOBEX, BLUE));
    assertThat(ofPeer(d1)).containsOnly(true);
    assertThat(d1.holds(OF_GLOBEX)).as("the other half is the other's").isFalse();
    assertThat(d2.holds(OF_GLOBEX) && d2.holds(BLUE + "/ports/p")).isTrue();
    applied(
        PeeringServiceGrpc.newBlockingStub(admin)
            .deletePeering(DeletePeeringRequest.newBuilder().setName(OF_GLOBEX).build())
            .getRevision());
    assertThat(ofPeer(d1)).containsOnly(false);
    assertThat(d1.holds(BLUE + "/ports/p")).isTrue();
  }

  @Test
  void aPeeringOutlivesARestart() throws Exception {
    create(OF_ACME, GOLD);
    long revision = create(OF_GLOBEX, BLUE);
    controlPlane.close();
    restart();
    GrpcAgent d1 = agent("d1");
    agent("d2");
    applied(revision);
    assertThat(ofPeer(d1)).containsOnly(true);
  }

  private static Stream<Boolean> ofPeer(GrpcAgent agent) {
    return Stream.of(OF_ACME, GOLD + "/ports/q", "dpus/d2").map(agent::holds);
  }

  private void restart() throws Exception {
    controlPlane =
        TestControlPlane.start("jdbc:sqlite:" + directory.resolve("journal.db"), pki.server());
    admin = controlPlane.channel(pki.operator("admin"));
  }

  private GrpcAgent agent(String dpu) {
    GrpcAgent agent = new GrpcAgent(new FakeAgent(FakeAgent.Mode.STAGED));
    agent.connect(controlPlane.channel(pki.dpu(dpu)));
    return agent;
  }

  private long create(String name, String peer) {
    return PeeringServiceGrpc.newBlockingStub(admin)
        .createPeering(
            CreatePeeringRequest.newBuilder()
                .setPeering(Peering.newBuilder().setName(name).setPeerNetwork(peer))
                .build())
        .getRevision();
  }

  private void applied(long revision) {
    assertThat(
            FleetServiceGrpc.newBlockingStub(admin)
                .waitForRevision(
                    WaitForRevisionRequest.newBuilder()
                        .setRevision(revision)
                        .setTimeout(Duration.newBuilder().setSeconds(120))
                        .build())
                .getReached())
        .isTrue();
  }
}
