package io.gatehouse.control.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.FieldMask;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.journal.JournalConfig;
import io.gatehouse.control.journal.SqlJournal;
import io.gatehouse.control.sequencer.JournalSequencer;
import io.gatehouse.control.sequencer.SequencerConfig;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.CreateDpuRequest;
import io.gatehouse.proto.v1.CreateNetworkRequest;
import io.gatehouse.proto.v1.CreatePortRequest;
import io.gatehouse.proto.v1.CreateTenantRequest;
import io.gatehouse.proto.v1.CreateTenantResponse;
import io.gatehouse.proto.v1.DeleteTenantRequest;
import io.gatehouse.proto.v1.Dpu;
import io.gatehouse.proto.v1.DpuServiceGrpc;
import io.gatehouse.proto.v1.DpuStatus;
import io.gatehouse.proto.v1.ExplainPortRequest;
import io.gatehouse.proto.v1.ExplainPortResponse;
import io.gatehouse.proto.v1.GetTenantRequest;
import io.gatehouse.proto.v1.ListNetworksRequest;
import io.gatehouse.proto.v1.ListPortsRequest;
import io.gatehouse.proto.v1.ListTenantsRequest;
import io.gatehouse.proto.v1.ListTenantsResponse;
import io.gatehouse.proto.v1.Network;
import io.gatehouse.proto.v1.NetworkServiceGrpc;
import io.gatehouse.proto.v1.Port;
import io.gatehouse.proto.v1.PortServiceGrpc;
import io.gatehouse.proto.v1.PortStatus;
import io.gatehouse.proto.v1.Tenant;
import io.gatehouse.proto.v1.TenantQuota;
import io.gatehouse.proto.v1.TenantServiceGrpc;
import io.gatehouse.proto.v1.TenantState;
import io.gatehouse.proto.v1.UpdateTenantRequest;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.StatusProto;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The services as a client sees them, over gRPC on the loopback. */
class ResourceServicesTest {
  @TempDir private Path folder = Path.of("");

  private final List<AutoCloseable> opened = new ArrayList<>();
  private TenantServiceGrpc.TenantServiceBlockingStub tenants;
  private NetworkServiceGrpc.NetworkServiceBlockingStub networks;
  private PortServiceGrpc.PortServiceBlockingStub ports;
  private DpuServiceGrpc.DpuServiceBlockingStub dpus;

  @BeforeEach
  void start() throws Exception {
    SqlJournal journal =
        SqlJournal.open(JournalConfig.of("jdbc:sqlite:" + folder.resolve("journal.db")));
    opened.add(journal);
    JournalSequencer sequencer =
        new JournalSequencer(journal, journal.load(), SequencerConfig.DEFAULT);
    opened.add(sequencer);
    sequencer.start();
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    NettyServerBuilder builder = NettyServerBuilder.forAddress(any);
    ResourceServices.of(sequencer, new OneKnownDpu(), PortExplainer.NONE, ForkJoinPool.commonPool())
        .forEach(builder::addService);
    Server server = builder.build().start();
    opened.add(server::shutdownNow);
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", server.getPort()).usePlaintext().build();
    opened.add(channel::shutdownNow);
    tenants = TenantServiceGrpc.newBlockingStub(channel);
    networks = NetworkServiceGrpc.newBlockingStub(channel);
    ports = PortServiceGrpc.newBlockingStub(channel);
    dpus = DpuServiceGrpc.newBlockingStub(channel);
  }

  @AfterEach
  void stop() throws Exception {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
  }

  @Test
  void aTenantIsMadeReadChangedAndRemoved() {
    CreateTenantResponse created = create("acme");
    assertThat(created.getRevision()).isEqualTo(1);
    Tenant tenant = get("acme");
    assertThat(tenant).isEqualTo(created.getTenant());
    assertThat(tenant.getQuota().getMaxNetworks()).isEqualTo(16);
    assertThat(tenant.getEtag()).isNotEmpty();

    Tenant changed =
        tenants
            .updateTenant(
                update(
                    tenant.toBuilder()
                        .setState(TenantState.TENANT_STATE_SUSPENDED)
                        .setDisplayName("not in the mask")
                        .setQuota(TenantQuota.newBuilder().setMaxPorts(5))
                        .build(),
                    "state",
                    "quota.max_ports"))
            .getTenant();
    assertThat(changed.getState()).isEqualTo(TenantState.TENANT_STATE_SUSPENDED);
    assertThat(changed.getDisplayName()).isEmpty();
    assertThat(changed.getQuota().getMaxNetworks()).isEqualTo(16);
    assertThat(changed.getQuota().getMaxPorts()).isEqualTo(5);

    refused(
        Status.Code.ABORTED,
        "tenant.etag",
        () -> tenants.updateTenant(update(tenant, "display_name")));
    DeleteTenantRequest.Builder delete = DeleteTenantRequest.newBuilder().setName("tenants/acme");
    refused(
        Status.Code.ABORTED,
        "etag",
        () -> tenants.deleteTenant(delete.setEtag(tenant.getEtag()).build()));
    tenants.deleteTenant(delete.setEtag(changed.getEtag()).build());
    refused(Status.Code.NOT_FOUND, "name", () -> get("acme"));
  }

  @Test
  void aFieldToBlameIsNamed() {
    refused(Status.Code.INVALID_ARGUMENT, "tenant.name", () -> create("Not-An-Id"));
    create("acme");
    refused(
        Status.Code.INVALID_ARGUMENT,
        "update_mask",
        () -> tenants.updateTenant(update(Tenant.getDefaultInstance())));
    StatusRuntimeException unknown =
        refused(
            Status.Code.INVALID_ARGUMENT,
            "update_mask",
            () -> tenants.updateTenant(update(Tenant.getDefaultInstance(), "create_time")));
    assertThat(unknown.getMessage()).contains("create_time cannot be changed");
    refused(Status.Code.INVALID_ARGUMENT, "network.mtu_bytes", () -> network("acme", "a", 100));
    refused(
        Status.Code.FAILED_PRECONDITION, "network.mtu_bytes", () -> network("acme", "a", 9_000));
    CreateTenantRequest badId = request("b").setRequestId("1").build();
    refused(Status.Code.INVALID_ARGUMENT, "request_id", () -> tenants.createTenant(badId));
  }

  @Test
  void aRepeatIsAnsweredAsTheFirstTime() {
    String id = UUID.randomUUID().toString();
    CreateTenantRequest request = request("acme").setRequestId(id).build();
    CreateTenantResponse first = tenants.createTenant(request);
    tenants.updateTenant(
        update(first.getTenant().toBuilder().setDisplayName("later").build(), "display_name"));
    assertThat(tenants.createTenant(request)).isEqualTo(first);
    CreateTenantRequest other = request("other").setRequestId(id).build();
    refused(Status.Code.INVALID_ARGUMENT, "request_id", () -> tenants.createTenant(other));
  }

  @Test
  void pagesFollowEachOtherAndTokensAreBound() {
    for (int i = 0; i < 5; i++) {
      create("t" + i);
    }
    ListTenantsRequest.Builder list =
        ListTenantsRequest.newBuilder().setPageSize(2).setFilter("state = ACTIVE");
    List<String> names = new ArrayList<>();
    ListTenantsResponse page;
    do {
      page = tenants.listTenants(list.build());
      page.getTenantsList().forEach(tenant -> names.add(tenant.getName()));
      list.setPageToken(page.getNextPageToken());
    } while (!page.getNextPageToken().isEmpty());
    assertThat(names)
        .containsExactly("tenants/t0", "tenants/t1", "tenants/t2", "tenants/t3", "tenants/t4");

    list.setPageToken("");
    String token = tenants.listTenants(list.build()).getNextPageToken();
    ListTenantsRequest otherFilter = list.setPageToken(token).setFilter("").build();
    refused(Status.Code.INVALID_ARGUMENT, "page_token", () -> tenants.listTenants(otherFilter));
    ListTenantsRequest noToken = list.setPageToken("%%%").build();
    refused(Status.Code.INVALID_ARGUMENT, "page_token", () -> tenants.listTenants(noToken));
    ListTenantsRequest tooLarge = list.setPageToken("").setPageSize(1_001).build();
    refused(Status.Code.INVALID_ARGUMENT, "page_size", () -> tenants.listTenants(tooLarge));
  }

  @Test
  void aDashStandsForAllParents() {
    onboard("acme");
    onboard("other");
    assertThat(listNetworks("tenants/acme")).isEqualTo(1);
    assertThat(listNetworks("tenants/-")).isEqualTo(2);
    assertThat(listPorts("tenants/acme/networks/blue")).isEqualTo(1);
    assertThat(listPorts("tenants/acme/networks/-")).isEqualTo(1);
    assertThat(listPorts("tenants/-/networks/-")).isEqualTo(2);
    assertThat(listPorts("tenants/-/networks/blue")).isEqualTo(2);
    assertThat(listPorts("tenants/-/networks/red")).isZero();
    refused(Status.Code.NOT_FOUND, "parent", () -> listPorts("tenants/acme/networks/red"));
    refused(Status.Code.INVALID_ARGUMENT, "parent", () -> listPorts("tenants/acme"));
  }

  @Test
  void f47AFunctionThatTheDpuLacksIsRefused() {
    create("acme");
    network("acme", "blue", 0);
    dpu("known", "192.0.2.9");
    StatusRuntimeException e =
        refused(
            Status.Code.FAILED_PRECONDITION,
            "port.function",
            () -> port("acme", "p", "known", "pf0vf7"));
    assertThat(e.getMessage()).contains("dpus/known has no function pf0vf7; it has pf0vf0");
  }

  @Test
  void anExplanationWithoutAnswerSaysWhy() {
    onboard("acme");
    ExplainPortResponse explained =
        ports.explainPort(
            ExplainPortRequest.newBuilder().setName("tenants/acme/networks/blue/ports/p").build());
    assertThat(explained.getVni()).isEqualTo(1);
    assertThat(explained.getNetwork()).isEqualTo("tenants/acme/networks/blue");
    assertThat(explained.getUnavailable()).isEqualTo("dpus/acme is not connected here");
  }

  private void onboard(String tenant) {
    create(tenant);
    network(tenant, "blue", 0);
    dpu(tenant, "192.0.2." + tenant.length());
    port(tenant, "p", tenant, "pf0vf0");
  }

  private static CreateTenantRequest.Builder request(String id) {
    return CreateTenantRequest.newBuilder().setTenant(Tenant.newBuilder().setName("tenants/" + id));
  }

  private CreateTenantResponse create(String id) {
    return tenants.createTenant(request(id).build());
  }

  private Tenant get(String id) {
    return tenants
        .getTenant(GetTenantRequest.newBuilder().setName("tenants/" + id).build())
        .getTenant();
  }

  private static UpdateTenantRequest update(Tenant tenant, String... paths) {
    return UpdateTenantRequest.newBuilder()
        .setTenant(tenant)
        .setUpdateMask(FieldMask.newBuilder().addAllPaths(List.of(paths)))
        .build();
  }

  private Network network(String tenant, String id, int mtuBytes) {
    Network network =
        Network.newBuilder()
            .setName("tenants/" + tenant + "/networks/" + id)
            .setIpv4Cidr("10.0.0.0/24")
            .setMtuBytes(mtuBytes)
            .build();
    return networks
        .createNetwork(CreateNetworkRequest.newBuilder().setNetwork(network).build())
        .getNetwork();
  }

  private Dpu dpu(String id, String vtep) {
    Dpu dpu = Dpu.newBuilder().setName("dpus/" + id).setVtepAddress(vtep).build();
    return dpus.createDpu(CreateDpuRequest.newBuilder().setDpu(dpu).build()).getDpu();
  }

  private Port port(String tenant, String id, String dpu, String function) {
    Port port =
        Port.newBuilder()
            .setName("tenants/" + tenant + "/networks/blue/ports/" + id)
            .setDpu("dpus/" + dpu)
            .setFunction(function)
            .build();
    return ports.createPort(CreatePortRequest.newBuilder().setPort(port).build()).getPort();
  }

  private int listNetworks(String parent) {
    return networks
        .listNetworks(ListNetworksRequest.newBuilder().setParent(parent).build())
        .getNetworksCount();
  }

  private int listPorts(String parent) {
    return ports.listPorts(ListPortsRequest.newBuilder().setParent(parent).build()).getPortsCount();
  }

  private static StatusRuntimeException refused(
      Status.Code code, String field, ThrowingCallable call) {
    StatusRuntimeException e = catchThrowableOfType(StatusRuntimeException.class, call);
    assertThat(e).isNotNull();
    assertThat(e.getStatus().getCode()).as(e.getMessage()).isEqualTo(code);
    com.google.rpc.Status status = StatusProto.fromThrowable(e);
    assertThat(status).isNotNull();
    assertThat(status.getDetailsList())
        .singleElement()
        .satisfies(detail -> assertThat(violated(detail)).isEqualTo(field));
    return e;
  }

  private static String violated(com.google.protobuf.Any detail)
      throws InvalidProtocolBufferException {
    return detail.unpack(BadRequest.class).getFieldViolations(0).getField();
  }

  /** Knows the functions of the DPU {@code known}. */
  private static final class OneKnownDpu implements StatusSource {
    @Override
    public PortStatus portStatus(Image image, io.gatehouse.model.Port port) {
      return NONE.portStatus(image, port);
    }

    @Override
    public DpuStatus dpuStatus(Image image, DpuName dpu) {
      return NONE.dpuStatus(image, dpu);
    }

    @Override
    public Optional<List<String>> functions(DpuName dpu) {
      return dpu.dpu().equals("known") ? Optional.of(List.of("pf0vf0")) : Optional.empty();
    }
  }
}
