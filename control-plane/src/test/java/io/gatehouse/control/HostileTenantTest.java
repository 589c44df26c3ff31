package io.gatehouse.control;

import static io.gatehouse.control.testing.TestControlPlane.createDpu;
import static io.gatehouse.control.testing.TestControlPlane.createPort;
import static io.gatehouse.control.testing.TestControlPlane.createTenant;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.FieldMask;
import com.google.protobuf.Message;
import io.gatehouse.control.testing.AnyCall;
import io.gatehouse.control.testing.TestControlPlane;
import io.gatehouse.control.testing.TestPki;
import io.gatehouse.proto.v1.AuditProto;
import io.gatehouse.proto.v1.CreateNetworkRequest;
import io.gatehouse.proto.v1.CreateOperatorRequest;
import io.gatehouse.proto.v1.CreatePeeringRequest;
import io.gatehouse.proto.v1.CreatePortRequest;
import io.gatehouse.proto.v1.DpuProto;
import io.gatehouse.proto.v1.FleetProto;
import io.gatehouse.proto.v1.FleetServiceGrpc;
import io.gatehouse.proto.v1.GetFleetStatusRequest;
import io.gatehouse.proto.v1.IdentityProto;
import io.gatehouse.proto.v1.IsolationProto;
import io.gatehouse.proto.v1.ListNetworksRequest;
import io.gatehouse.proto.v1.ListPeeringsRequest;
import io.gatehouse.proto.v1.ListPortsRequest;
import io.gatehouse.proto.v1.ListTenantsRequest;
import io.gatehouse.proto.v1.MtuProto;
import io.gatehouse.proto.v1.Network;
import io.gatehouse.proto.v1.NetworkProto;
import io.gatehouse.proto.v1.NetworkServiceGrpc;
import io.gatehouse.proto.v1.Operator;
import io.gatehouse.proto.v1.OperatorProto;
import io.gatehouse.proto.v1.OperatorServiceGrpc;
import io.gatehouse.proto.v1.PathProto;
import io.gatehouse.proto.v1.Peering;
import io.gatehouse.proto.v1.PeeringProto;
import io.gatehouse.proto.v1.PeeringServiceGrpc;
import io.gatehouse.proto.v1.Port;
import io.gatehouse.proto.v1.PortProto;
import io.gatehouse.proto.v1.PortServiceGrpc;
import io.gatehouse.proto.v1.QuarantineProto;
import io.gatehouse.proto.v1.RateLimits;
import io.gatehouse.proto.v1.Role;
import io.gatehouse.proto.v1.SecurityGroupProto;
import io.gatehouse.proto.v1.SyncProto;
import io.gatehouse.proto.v1.TenantProto;
import io.gatehouse.proto.v1.TenantServiceGrpc;
import io.gatehouse.proto.v1.UpdatePortRequest;
import io.gatehouse.proto.v1.WatchChangesRequest;
import io.gatehouse.proto.v1.WatchChangesResponse;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An admin of the tenant acme, who wants what is globex's. */
class HostileTenantTest {
  private static final List<FileDescriptor> CONTRACT =
      List.of(
          AuditProto.getDescriptor(),
          DpuProto.getDescriptor(),
          FleetProto.getDescriptor(),
          IdentityProto.getDescriptor(),
          IsolationProto.getDescriptor(),
          MtuProto.getDescriptor(),
          NetworkProto.getDescriptor(),
          OperatorProto.getDescriptor(),
          PathProto.getDescriptor(),
          PeeringProto.getDescriptor(),
          PortProto.getDescriptor(),
          QuarantineProto.getDescriptor(),
          SecurityGroupProto.getDescriptor(),
          SyncProto.getDescriptor(),
          TenantProto.getDescriptor());

  /** These take no name: what they answer is looked at by itself. */
  private static final Set<String> NAMELESS = Set.of("ListTenants", "WatchChanges");

  private static final Set<Status.Code> REFUSALS =
      Set.of(Status.Code.NOT_FOUND, Status.Code.PERMISSION_DENIED, Status.Code.UNIMPLEMENTED);

  private static final Port P1 =
      Port.newBuilder().setName("tenants/acme/networks/blue/ports/p1").build();

  @TempDir private Path directory = Path.of("");
  private TestControlPlane controlPlane;
  private ManagedChannel admin;
  private ManagedChannel mallory;

  @BeforeEach
  void start() throws Exception {
    TestPki pki = new TestPki(directory);
    controlPlane =
        TestControlPlane.start("jdbc:sqlite:" + directory.resolve("journal.db"), pki.server());
    admin = controlPlane.channel(pki.operator("admin"));
    createDpu(admin, "d1", "172.31.0.1");
    createDpu(admin, "d2", "172.31.0.2");
    createTenant(admin, "acme");
    createTenant(admin, "globex");
    createPort(admin, "acme", "p1", "d1");
    createPort(admin, "globex", "p2", "d2");
    createPort(admin, "globex", "p3", "d1");
    createPeering("tenants/globex/networks/blue/peerings/x", "tenants/acme/networks/blue");
    createOperator("tenants/acme/operators/mallory", Role.ROLE_TENANT_ADMIN);
    createOperator("tenants/globex/operators/boss", Role.ROLE_TENANT_ADMIN);
    mallory =
        controlPlane.channel(
            pki.named("URI:spiffe://" + TestPki.TRUST_DOMAIN + "/tenant/acme/mallory"));
  }

  @AfterEach
  void stop() {
    controlPlane.close();
  }

  @Test
  void everyRpcWithAnothersNameAnswersAsIfThereWereNone() {
    String before = everythingOfGlobex();
    int called = 0;
    for (FileDescriptor file : CONTRACT) {
      for (MethodDescriptor method :
          file.getServices().stream().flatMap(s -> s.getMethods().stream()).toList()) {
        if (NAMELESS.contains(method.getName())) {
          continue;
        }
        Status real = call(method, "globex");
        Status none = call(method, "nobody");
        assertThat(real.getCode()).as(method.getFullName()).isIn(REFUSALS);
        assertThat(real.getCode()).as(method.getFullName()).isEqualTo(none.getCode());
        assertThat(String.valueOf(none.getDescription()).replace("nobody", "globex"))
            .as(method.getFullName())
            .isEqualTo(String.valueOf(real.getDescription()));
        called++;
      }
    }
    assertThat(called).isGreaterThan(40);
    assertThat(everythingOfGlobex()).as("nothing has changed").isEqualTo(before);
  }

  @Test
  void ownThingsAreSeenAndChanged() {
    Network net =
        Network.newBuilder()
            .setName("tenants/acme/networks/red")
            .setIpv4Cidr("10.9.0.0/16")
            .build();
    NetworkServiceGrpc.newBlockingStub(mallory)
        .createNetwork(CreateNetworkRequest.newBuilder().setNetwork(net).build());
    createPort(mallory, "acme", "p9", "d1");
    assertThat(
            FleetServiceGrpc.newBlockingStub(mallory)
                .getFleetStatus(GetFleetStatusRequest.getDefaultInstance())
                .getNetworkCount())
        .as("an empty scope is the own tenant")
        .isEqualTo(2);
  }

  @Test
  void wildcardsAreTheOwnTenant() {
    assertThat(
            NetworkServiceGrpc.newBlockingStub(mallory)
                .listNetworks(ListNetworksRequest.newBuilder().setParent("tenants/-").build())
                .getNetworksList())
        .extracting(Network::getName)
        .containsExactly("tenants/acme/networks/blue");
    assertThat(
            PortServiceGrpc.newBlockingStub(mallory)
                .listPorts(ListPortsRequest.newBuilder().setParent("tenants/-/networks/-").build())
                .getPortsList())
        .extracting(Port::getName)
        .containsExactly("tenants/acme/networks/blue/ports/p1");
    assertThat(
            TenantServiceGrpc.newBlockingStub(mallory)
                .listTenants(ListTenantsRequest.getDefaultInstance())
                .getTenantsList())
        .hasSize(1);
  }

  @Test
  void aWatchShowsOwnChangesOnly() {
    Iterator<WatchChangesResponse> changes =
        FleetServiceGrpc.newBlockingStub(mallory)
            .watchChanges(WatchChangesRequest.newBuilder().setAfterRevision(1).build());
    createPort(admin, "globex", "p8", "d2");
    createPort(admin, "acme", "p9", "d1");
    String last = "tenants/acme/networks/blue/ports/p9";
    for (String name = ""; !name.equals(last); ) {
      WatchChangesResponse change = changes.next();
      name = change.getChanges(0).getName();
      assertThat(change.getChangesList())
          .allMatch(c -> (c.getName() + "/").startsWith("tenants/acme/"));
    }
  }

  @Test
  void aFilterFindsNothingOfOthers() {
    assertThat(
            PortServiceGrpc.newBlockingStub(mallory)
                .listPorts(
                    ListPortsRequest.newBuilder()
                        .setParent("tenants/-/networks/-")
                        .setFilter("name = tenants/globex/networks/blue/ports/p2")
                        .build())
                .getPortsList())
        .isEmpty();
  }

  @Test
  void aVniCannotBeAskedFor() {
    Network net = Network.newBuilder().setName("tenants/acme/networks/red").setVni(1).build();
    Status status =
        AnyCall.status(
            () ->
                NetworkServiceGrpc.newBlockingStub(mallory)
                    .createNetwork(CreateNetworkRequest.newBuilder().setNetwork(net).build()));
    assertThat(status.getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
  }

  @Test
  void roomInTheConnectionTrackerIsGivenByTheFleet() {
    assertThat(limit(mallory, 10_001)).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(limit(mallory, 10_000)).isEqualTo(Status.Code.OK);
    assertThat(limit(admin, 50_000)).isEqualTo(Status.Code.OK);
    assertThat(limit(mallory, 50_001)).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(limit(mallory, 50_000)).as("as it is").isEqualTo(Status.Code.OK);
    assertThat(limit(mallory, 5)).isEqualTo(Status.Code.OK);
    assertThat(limit(mallory, 50_000)).isEqualTo(Status.Code.PERMISSION_DENIED);
  }

  @Test
  void whatTheFleetHasGivenOnOneDpuIsNotTakenToAnother() {
    createPort(admin, "acme", "p4", "d2");
    assertThat(limit(admin, 50_000)).isEqualTo(Status.Code.OK);
    Port there = P1.toBuilder().setDpu("dpus/d2").setFunction("pf0vf9").build();
    assertThat(update(mallory, there, "dpu", "function")).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(limit(mallory, 10_000)).isEqualTo(Status.Code.OK);
    assertThat(update(mallory, there, "dpu", "function")).isEqualTo(Status.Code.OK);
  }

  private static Status.Code limit(ManagedChannel operator, int connections) {
    RateLimits limits = RateLimits.newBuilder().setConnections(connections).build();
    return update(operator, P1.toBuilder().setRateLimits(limits).build(), "rate_limits");
  }

  private static Status.Code update(ManagedChannel operator, Port port, String... fields) {
    FieldMask mask = FieldMask.newBuilder().addAllPaths(List.of(fields)).build();
    var request = UpdatePortRequest.newBuilder().setPort(port).setUpdateMask(mask).build();
    return AnyCall.status(() -> PortServiceGrpc.newBlockingStub(operator).updatePort(request))
        .getCode();
  }

  @Test
  void aDpuWithoutAnOwnPortIsAsGoodAsNone() {
    Status there = place("d2", "pf0vf9");
    Status absent = place("d9", "pf0vf9");
    assertThat(there.getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(String.valueOf(absent.getDescription()).replace("d9", "d2"))
        .isEqualTo(there.getDescription());
  }

  @Test
  void whoHasTheFunctionIsNotTold() {
    Status status = place("d1", "pf0vfp3");
    assertThat(status.getCode()).isEqualTo(Status.Code.ALREADY_EXISTS);
    assertThat(status.getDescription()).contains("another tenant").doesNotContain("globex");
  }

  private Status place(String dpu, String function) {
    Port port =
        Port.newBuilder()
            .setName("tenants/acme/networks/blue/ports/x")
            .setDpu("dpus/" + dpu)
            .setFunction(function)
            .build();
    return AnyCall.status(
        () ->
            PortServiceGrpc.newBlockingStub(mallory)
                .createPort(CreatePortRequest.newBuilder().setPort(port).build()));
  }

  private Status call(MethodDescriptor method, String tenant) {
    DynamicMessage.Builder request = DynamicMessage.newBuilder(method.getInputType());
    for (FieldDescriptor field : method.getInputType().getFields()) {
      fill(request, field, method, tenant);
    }
    return AnyCall.status(() -> AnyCall.first(mallory, method, request.build()));
  }

  /** Sets what a request is about; other fields stay as they are. */
  private static void fill(
      DynamicMessage.Builder request,
      FieldDescriptor field,
      MethodDescriptor method,
      String tenant) {
    String own = nameFor(method.getService().getName(), tenant);
    if (field.getJavaType() == JavaType.STRING
        && Set.of("name", "scope", "target").contains(field.getName())) {
      request.setField(field, own);
    }
    if (field.getJavaType() == JavaType.STRING && field.getName().equals("parent")) {
      boolean below = Set.of("ListPorts", "ListPeerings").contains(method.getName());
      request.setField(field, "tenants/" + tenant + (below ? "/networks/blue" : ""));
    }
    if (field.getName().equals("update_mask")) {
      request.setField(field, mask(field.getMessageType()));
    }
    if (field.getJavaType() == JavaType.MESSAGE
        && field.getMessageType().findFieldByName("name") != null) {
      Descriptor type = field.getMessageType();
      request.setField(
          field,
          DynamicMessage.newBuilder(type).setField(type.findFieldByName("name"), own).build());
    }
  }

  private static Message mask(Descriptor type) {
    FieldDescriptor paths = type.findFieldByNumber(FieldMask.PATHS_FIELD_NUMBER);
    return DynamicMessage.newBuilder(type).addRepeatedField(paths, "display_name").build();
  }

  private static String nameFor(String service, String tenant) {
    String root = "tenants/" + tenant;
    return Map.of(
            "NetworkService", root + "/networks/blue",
            "PortService", root + "/networks/blue/ports/p2",
            "PeeringService", root + "/networks/blue/peerings/x",
            "SecurityGroupService", root + "/securityGroups/web",
            "QuarantineService", root + "/networks/blue/ports/p2",
            "OperatorService", root + "/operators/boss",
            "DpuService", "dpus/d2")
        .getOrDefault(service, root);
  }

  private String everythingOfGlobex() {
    return Stream.of(
            NetworkServiceGrpc.newBlockingStub(admin)
                .listNetworks(ListNetworksRequest.newBuilder().setParent("tenants/globex").build()),
            PortServiceGrpc.newBlockingStub(admin)
                .listPorts(
                    ListPortsRequest.newBuilder().setParent("tenants/globex/networks/-").build()),
            PeeringServiceGrpc.newBlockingStub(admin)
                .listPeerings(
                    ListPeeringsRequest.newBuilder()
                        .setParent("tenants/globex/networks/-")
                        .build()))
        .map(Message::toString)
        .toList()
        .toString();
  }

  private void createPeering(String name, String peer) {
    PeeringServiceGrpc.newBlockingStub(admin)
        .createPeering(
            CreatePeeringRequest.newBuilder()
                .setPeering(Peering.newBuilder().setName(name).setPeerNetwork(peer))
                .build());
  }

  private void createOperator(String name, Role role) {
    OperatorServiceGrpc.newBlockingStub(admin)
        .createOperator(
            CreateOperatorRequest.newBuilder()
                .setOperator(Operator.newBuilder().setName(name).setRole(role))
                .build());
  }
}
