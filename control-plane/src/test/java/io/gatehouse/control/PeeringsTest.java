package io.gatehouse.control;

import static io.gatehouse.control.testing.TestControlPlane.createTenant;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.FieldMask;
import io.gatehouse.control.testing.AnyCall;
import io.gatehouse.control.testing.TestControlPlane;
import io.gatehouse.control.testing.TestPki;
import io.gatehouse.proto.v1.CreateNetworkRequest;
import io.gatehouse.proto.v1.CreateOperatorRequest;
import io.gatehouse.proto.v1.CreatePeeringRequest;
import io.gatehouse.proto.v1.DeletePeeringRequest;
import io.gatehouse.proto.v1.FleetServiceGrpc;
import io.gatehouse.proto.v1.GetPeeringRequest;
import io.gatehouse.proto.v1.ListPeeringsRequest;
import io.gatehouse.proto.v1.Network;
import io.gatehouse.proto.v1.NetworkServiceGrpc;
import io.gatehouse.proto.v1.Operator;
import io.gatehouse.proto.v1.OperatorServiceGrpc;
import io.gatehouse.proto.v1.Peering;
import io.gatehouse.proto.v1.PeeringServiceGrpc;
import io.gatehouse.proto.v1.PeeringState;
import io.gatehouse.proto.v1.ResourceChange;
import io.gatehouse.proto.v1.Role;
import io.gatehouse.proto.v1.UpdatePeeringRequest;
import io.gatehouse.proto.v1.WatchChangesRequest;
import io.gatehouse.proto.v1.WatchChangesResponse;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Peerings as the two tenants see them: acme's admin ann, and globex' admin boss. */
class PeeringsTest {
  private static final String RED = "tenants/acme/networks/red";
  private static final String GOLD = "tenants/globex/networks/gold";
  private static final String OF_ACME = RED + "/peerings/to-globex";
  private static final String OF_GLOBEX = GOLD + "/peerings/to-acme";

  @TempDir private Path directory = Path.of("");
  private TestControlPlane controlPlane;
  private ManagedChannel admin;
  private ManagedChannel ann;
  private ManagedChannel boss;

  @BeforeEach
  void start() throws Exception {
    TestPki pki = new TestPki(directory);
    controlPlane =
        TestControlPlane.start("jdbc:sqlite:" + directory.resolve("journal.db"), pki.server());
    admin = controlPlane.channel(pki.operator("admin"));
    createTenant(admin, "acme");
    createTenant(admin, "globex");
    createNetwork(RED, "10.1.0.0/16");
    createNetwork(GOLD, "10.2.0.0/16");
    ann = operator(pki, "acme", "ann");
    boss = operator(pki, "globex", "boss");
  }

  @AfterEach
  void stop() {
    controlPlane.close();
  }

  @Test
  void bothAgreeAndEitherEndsIt() {
    Peering first = create(ann, OF_ACME, GOLD);
    assertThat(first.getState()).isEqualTo(PeeringState.PEERING_STATE_PENDING);
    assertThat(first.getPeerNetwork()).as("what ann has named").isEqualTo(GOLD);
    Peering second = create(boss, OF_GLOBEX, RED);
    assertThat(second.getState()).isEqualTo(PeeringState.PEERING_STATE_ACTIVE);
    assertThat(second.getName()).isEqualTo(OF_GLOBEX);
    Peering active = get(ann, OF_ACME);
    assertThat(active.getState()).isEqualTo(PeeringState.PEERING_STATE_ACTIVE);
    assertThat(active.getEtag()).isNotEqualTo(first.getEtag());
    PeeringServiceGrpc.newBlockingStub(boss)
        .deletePeering(
            DeletePeeringRequest.newBuilder().setName(OF_GLOBEX).setEtag(second.getEtag()).build());
    assertThat(get(ann, OF_ACME).getState()).isEqualTo(PeeringState.PEERING_STATE_PENDING);
  }

  @Test
  void theFirstAnswerIsTheSameWhetherTheOtherIsThereOrNot() {
    Peering there = create(ann, OF_ACME, GOLD);
    Peering absent = create(ann, RED + "/peerings/no", "tenants/globex/networks/none");
    Peering nobody = create(ann, RED + "/peerings/nobody", "tenants/nobody/networks/gold");
    assertThat(List.of(there, absent, nobody))
        .extracting(Peering::getState)
        .containsOnly(PeeringState.PEERING_STATE_PENDING);
    assertThat(list(boss, "tenants/-/networks/-", "")).as("globex is not told of it").isEmpty();
  }

  @Test
  void aTenantAgreesForItselfOnly() {
    Status status = refused(() -> create(ann, GOLD + "/peerings/mine", RED));
    assertThat(status.getCode()).isEqualTo(Status.Code.NOT_FOUND);
    create(boss, OF_GLOBEX, RED);
    assertThat(refused(() -> get(ann, OF_GLOBEX)).getCode()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(list(admin, GOLD, "")).hasSize(1);
  }

  @Test
  void aRefusalTellsPrefixesAndNoNames() {
    createNetwork("tenants/globex/networks/like-red", "10.1.128.0/17");
    create(ann, OF_ACME, "tenants/globex/networks/like-red");
    Status status = refused(() -> create(boss, "tenants/globex/networks/like-red/peerings/x", RED));
    assertThat(status.getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(status.getDescription())
        .isEqualTo("peering.peer_network: 10.1.128.0/17 overlaps 10.1.0.0/16 of the peer network");
  }

  @Test
  void aWatchTellsOfTheOtherSidesEndAndNotWhoItWas() {
    create(ann, OF_ACME, GOLD);
    Iterator<WatchChangesResponse> changes =
        FleetServiceGrpc.newBlockingStub(ann)
            .watchChanges(WatchChangesRequest.newBuilder().setAfterRevision(1).build());
    create(boss, OF_GLOBEX, RED);
    WatchChangesResponse last = changes.next();
    for (int seen = of(last); seen < 2; seen += of(last)) {
      last = changes.next();
      assertThat(last.getChangesList())
          .extracting(ResourceChange::getName)
          .allMatch(name -> (name + "/").startsWith("tenants/acme/"));
    }
    assertThat(last.getChangesList()).extracting(ResourceChange::getName).containsExactly(OF_ACME);
    assertThat(last.getActor()).isEmpty();
  }

  @Test
  void peeringsAreListedFilteredAndRenamed() {
    create(ann, OF_ACME, GOLD);
    create(ann, "tenants/acme/networks/blue/peerings/x", GOLD);
    create(boss, OF_GLOBEX, RED);
    assertThat(list(ann, "tenants/-/networks/-", ""))
        .containsExactly("tenants/acme/networks/blue/peerings/x", OF_ACME);
    assertThat(list(ann, "tenants/acme/networks/-", "state = ACTIVE")).containsExactly(OF_ACME);
    assertThat(list(admin, "tenants/-/networks/red", "")).containsExactly(OF_ACME);
    assertThat(list(admin, "tenants/-/networks/-", "peer_network = \"" + RED + "\""))
        .containsExactly(OF_GLOBEX);
    Peering renamed =
        Peering.newBuilder().setName(OF_ACME).setDisplayName("to our supplier").build();
    UpdatePeeringRequest.Builder update = UpdatePeeringRequest.newBuilder().setPeering(renamed);
    PeeringServiceGrpc.PeeringServiceBlockingStub stub = PeeringServiceGrpc.newBlockingStub(ann);
    assertThat(
            stub.updatePeering(update.setUpdateMask(mask("display_name")).build())
                .getPeering()
                .getDisplayName())
        .isEqualTo("to our supplier");
    assertThat(
            refused(() -> stub.updatePeering(update.setUpdateMask(mask("peer_network")).build()))
                .getDescription())
        .contains("peer_network cannot be changed");
  }

  @Test
  void aRepeatedRequestMakesOnePeering() {
    CreatePeeringRequest request =
        CreatePeeringRequest.newBuilder()
            .setPeering(Peering.newBuilder().setName(OF_ACME).setPeerNetwork(GOLD))
            .setRequestId("4f0a5d1e-3c3e-4d57-9a25-0d1f2b9f2f11")
            .build();
    var stub = PeeringServiceGrpc.newBlockingStub(ann);
    assertThat(stub.createPeering(request)).isEqualTo(stub.createPeering(request));
  }

  private static int of(WatchChangesResponse change) {
    return change.getChangesList().stream().anyMatch(c -> c.getName().equals(OF_ACME)) ? 1 : 0;
  }

  private static FieldMask mask(String field) {
    return FieldMask.newBuilder().addPaths(field).build();
  }

  private static Status refused(Runnable call) {
    return AnyCall.status(call);
  }

  private static Peering create(ManagedChannel as, String name, String peer) {
    return PeeringServiceGrpc.newBlockingStub(as)
        .createPeering(
            CreatePeeringRequest.newBuilder()
                .setPeering(Peering.newBuilder().setName(name).setPeerNetwork(peer))
                .build())
        .getPeering();
  }

  private static Peering get(ManagedChannel as, String name) {
    return PeeringServiceGrpc.newBlockingStub(as)
        .getPeering(GetPeeringRequest.newBuilder().setName(name).build())
        .getPeering();
  }

  private static List<String> list(ManagedChannel as, String parent, String filter) {
    return PeeringServiceGrpc.newBlockingStub(as)
        .listPeerings(ListPeeringsRequest.newBuilder().setParent(parent).setFilter(filter).build())
        .getPeeringsList()
        .stream()
        .map(Peering::getName)
        .toList();
  }

  private void createNetwork(String name, String cidr) {
    NetworkServiceGrpc.newBlockingStub(admin)
        .createNetwork(
            CreateNetworkRequest.newBuilder()
                .setNetwork(Network.newBuilder().setName(name).setIpv4Cidr(cidr))
                .build());
  }

  private ManagedChannel operator(TestPki pki, String tenant, String id) throws Exception {
    OperatorServiceGrpc.newBlockingStub(admin)
        .createOperator(
            CreateOperatorRequest.newBuilder()
                .setOperator(
                    Operator.newBuilder()
                        .setName("tenants/" + tenant + "/operators/" + id)
                        .setRole(Role.ROLE_TENANT_ADMIN))
                .build());
    return controlPlane.channel(
        pki.named("URI:spiffe://" + TestPki.TRUST_DOMAIN + "/tenant/" + tenant + "/" + id));
  }
}
