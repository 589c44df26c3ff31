package io.gatehouse.control.cli;

import com.google.protobuf.Message;
import io.gatehouse.control.cli.FakeStore.Written;
import io.gatehouse.proto.v1.CreateDpuRequest;
import io.gatehouse.proto.v1.CreateDpuResponse;
import io.gatehouse.proto.v1.CreateNetworkRequest;
import io.gatehouse.proto.v1.CreateNetworkResponse;
import io.gatehouse.proto.v1.CreatePortRequest;
import io.gatehouse.proto.v1.CreatePortResponse;
import io.gatehouse.proto.v1.CreateTenantRequest;
import io.gatehouse.proto.v1.CreateTenantResponse;
import io.gatehouse.proto.v1.DeleteDpuRequest;
import io.gatehouse.proto.v1.DeleteDpuResponse;
import io.gatehouse.proto.v1.DeleteNetworkRequest;
import io.gatehouse.proto.v1.DeleteNetworkResponse;
import io.gatehouse.proto.v1.DeletePortRequest;
import io.gatehouse.proto.v1.DeletePortResponse;
import io.gatehouse.proto.v1.DeleteTenantRequest;
import io.gatehouse.proto.v1.DeleteTenantResponse;
import io.gatehouse.proto.v1.Dpu;
import io.gatehouse.proto.v1.DpuServiceGrpc;
import io.gatehouse.proto.v1.ExplainPortRequest;
import io.gatehouse.proto.v1.ExplainPortResponse;
import io.gatehouse.proto.v1.GetDpuRequest;
import io.gatehouse.proto.v1.GetDpuResponse;
import io.gatehouse.proto.v1.GetNetworkRequest;
import io.gatehouse.proto.v1.GetNetworkResponse;
import io.gatehouse.proto.v1.GetPortRequest;
import io.gatehouse.proto.v1.GetPortResponse;
import io.gatehouse.proto.v1.GetTenantRequest;
import io.gatehouse.proto.v1.GetTenantResponse;
import io.gatehouse.proto.v1.ListDpusRequest;
import io.gatehouse.proto.v1.ListDpusResponse;
import io.gatehouse.proto.v1.ListNetworksRequest;
import io.gatehouse.proto.v1.ListNetworksResponse;
import io.gatehouse.proto.v1.ListPortsRequest;
import io.gatehouse.proto.v1.ListPortsResponse;
import io.gatehouse.proto.v1.ListTenantsRequest;
import io.gatehouse.proto.v1.ListTenantsResponse;
import io.gatehouse.proto.v1.Network;
import io.gatehouse.proto.v1.NetworkServiceGrpc;
import io.gatehouse.proto.v1.Port;
import io.gatehouse.proto.v1.PortServiceGrpc;
import io.gatehouse.proto.v1.Tenant;
import io.gatehouse.proto.v1.TenantServiceGrpc;
import io.gatehouse.proto.v1.UpdateDpuRequest;
import io.gatehouse.proto.v1.UpdateDpuResponse;
import io.gatehouse.proto.v1.UpdateNetworkRequest;
import io.gatehouse.proto.v1.UpdateNetworkResponse;
import io.gatehouse.proto.v1.UpdatePortRequest;
import io.gatehouse.proto.v1.UpdatePortResponse;
import io.gatehouse.proto.v1.UpdateTenantRequest;
import io.gatehouse.proto.v1.UpdateTenantResponse;
import io.grpc.BindableService;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** The four kinds' services over a store, and an explanation that the test gives. */
final class FakeResourceServices {
  private final FakeStore store;
  private final Function<Port, ExplainPortResponse> explanation;

  FakeResourceServices(FakeStore store, Function<Port, ExplainPortResponse> explanation) {
    this.store = store;
    this.explanation = explanation;
  }

  List<BindableService> all() {
    return List.of(new Tenants(), new Networks(), new Ports(), new Dpus());
  }

  static <R extends Message> void answer(StreamObserver<R> observer, Supplier<R> answer) {
    R response;
    try {
      response = answer.get();
    } catch (StatusRuntimeException e) {
      observer.onError(e);
      return;
    }
    observer.onNext(response);
    observer.onCompleted();
  }

  /** Tenants. */
  private final class Tenants extends TenantServiceGrpc.TenantServiceImplBase {
    @Override
    public void createTenant(
        CreateTenantRequest request, StreamObserver<CreateTenantResponse> answer) {
      answer(
          answer,
          () -> {
            Written written =
                store.create(request.getTenant(), request.getRequestId(), FakeRules::fillTenant);
            return CreateTenantResponse.newBuilder()
                .setTenant((Tenant) written.resource())
                .setRevision(written.revision())
                .build();
          });
    }

    @Override
    public void getTenant(GetTenantRequest request, StreamObserver<GetTenantResponse> answer) {
      answer(
          answer,
          () ->
              GetTenantResponse.newBuilder()
                  .setTenant((Tenant) store.get(request.getName()))
                  .build());
    }

    @Override
    public void listTenants(
        ListTenantsRequest request, StreamObserver<ListTenantsResponse> answer) {
      answer(
          answer,
          () -> {
            FakeRules.Page page =
                FakeRules.page(store.list("tenants"), request.getPageToken(), request.getFilter());
            ListTenantsResponse.Builder list =
                ListTenantsResponse.newBuilder().setNextPageToken(page.next());
            page.resources().forEach(r -> list.addTenants((Tenant) r));
            return list.build();
          });
    }

    @Override
    public void updateTenant(
        UpdateTenantRequest request, StreamObserver<UpdateTenantResponse> answer) {
      answer(
          answer,
          () -> {
            Written written =
                store.update(
                    request.getTenant(),
                    request.getUpdateMask(),
                    request.getRequestId(),
                    Set.of(
                        "display_name", "quota", "quota.max_networks", "quota.max_ports", "state"));
            return UpdateTenantResponse.newBuilder()
                .setTenant((Tenant) written.resource())
                .setRevision(written.revision())
                .build();
          });
    }

    @Override
    public void deleteTenant(
        DeleteTenantRequest request, StreamObserver<DeleteTenantResponse> answer) {
      answer(
          answer,
          () ->
              DeleteTenantResponse.newBuilder()
                  .setRevision(
                      store.delete(request.getName(), request.getEtag(), request.getRequestId()))
                  .build());
    }
  }

  /** Networks. */
  private final class Networks extends NetworkServiceGrpc.NetworkServiceImplBase {
    @Override
    public void createNetwork(
        CreateNetworkRequest request, StreamObserver<CreateNetworkResponse> answer) {
      answer(
          answer,
          () -> {
            Written written =
                store.create(request.getNetwork(), request.getRequestId(), FakeRules::fillNetwork);
            return CreateNetworkResponse.newBuilder()
                .setNetwork((Network) written.resource())
                .setRevision(written.revision())
                .build();
          });
    }

    @Override
    public void getNetwork(GetNetworkRequest request, StreamObserver<GetNetworkResponse> answer) {
      answer(
          answer,
          () ->
              GetNetworkResponse.newBuilder()
                  .setNetwork((Network) store.get(request.getName()))
                  .build());
    }

    @Override
    public void listNetworks(
        ListNetworksRequest request, StreamObserver<ListNetworksResponse> answer) {
      answer(
          answer,
          () -> {
            FakeRules.Page page =
                FakeRules.page(
                    store.list(request.getParent() + "/networks"),
                    request.getPageToken(),
                    request.getFilter());
            ListNetworksResponse.Builder list =
                ListNetworksResponse.newBuilder().setNextPageToken(page.next());
            page.resources().forEach(r -> list.addNetworks((Network) r));
            return list.build();
          });
    }

    @Override
    public void updateNetwork(
        UpdateNetworkRequest request, StreamObserver<UpdateNetworkResponse> answer) {
      answer(
          answer,
          () -> {
            Written written =
                store.update(
                    request.getNetwork(),
                    request.getUpdateMask(),
                    request.getRequestId(),
                    Set.of(
                        "display_name",
                        "ipv4_cidr",
                        "ipv6_cidr",
                        "mtu_bytes",
                        "host_configuration"));
            return UpdateNetworkResponse.newBuilder()
                .setNetwork((Network) written.resource())
                .setRevision(written.revision())
                .build();
          });
    }

    @Override
    public void deleteNetwork(
        DeleteNetworkRequest request, StreamObserver<DeleteNetworkResponse> answer) {
      answer(
          answer,
          () ->
              DeleteNetworkResponse.newBuilder()
                  .setRevision(
                      store.delete(request.getName(), request.getEtag(), request.getRequestId()))
                  .build());
    }
  }

  /** Ports. */
  private final class Ports extends PortServiceGrpc.PortServiceImplBase {
    @Override
    public void createPort(CreatePortRequest request, StreamObserver<CreatePortResponse> answer) {
      answer(
          answer,
          () -> {
            Written written =
                store.create(request.getPort(), request.getRequestId(), FakeRules::fillPort);
            return CreatePortResponse.newBuilder()
                .setPort((Port) written.resource())
                .setRevision(written.revision())
                .build();
          });
    }

    @Override
    public void getPort(GetPortRequest request, StreamObserver<GetPortResponse> answer) {
      answer(
          answer,
          () -> GetPortResponse.newBuilder().setPort((Port) store.get(request.getName())).build());
    }

    @Override
    public void listPorts(ListPortsRequest request, StreamObserver<ListPortsResponse> answer) {
      answer(
          answer,
          () -> {
            FakeRules.Page page =
                FakeRules.page(
                    store.list(request.getParent() + "/ports"),
                    request.getPageToken(),
                    request.getFilter());
            ListPortsResponse.Builder list =
                ListPortsResponse.newBuilder().setNextPageToken(page.next());
            page.resources().forEach(r -> list.addPorts((Port) r));
            return list.build();
          });
    }

    @Override
    public void updatePort(UpdatePortRequest request, StreamObserver<UpdatePortResponse> answer) {
      answer(
          answer,
          () -> {
            Written written =
                store.update(
                    request.getPort(),
                    request.getUpdateMask(),
                    request.getRequestId(),
                    Set.of(
                        "display_name",
                        "dpu",
                        "function",
                        "mac_address",
                        "ip_addresses",
                        "admin_state",
                        "security_groups",
                        "allowed_address_pairs",
                        "rate_limits"));
            return UpdatePortResponse.newBuilder()
                .setPort((Port) written.resource())
                .setRevision(written.revision())
                .build();
          });
    }

    @Override
    public void deletePort(DeletePortRequest request, StreamObserver<DeletePortResponse> answer) {
      answer(
          answer,
          () ->
              DeletePortResponse.newBuilder()
                  .setRevision(
                      store.delete(request.getName(), request.getEtag(), request.getRequestId()))
                  .build());
    }

    @Override
    public void explainPort(
        ExplainPortRequest request, StreamObserver<ExplainPortResponse> answer) {
      answer(answer, () -> explanation.apply((Port) store.get(request.getName())));
    }
  }

  /** Dpus. */
  private final class Dpus extends DpuServiceGrpc.DpuServiceImplBase {
    @Override
    public void createDpu(CreateDpuRequest request, StreamObserver<CreateDpuResponse> answer) {
      answer(
          answer,
          () -> {
            Written written =
                store.create(request.getDpu(), request.getRequestId(), FakeRules::fillDpu);
            return CreateDpuResponse.newBuilder()
                .setDpu((Dpu) written.resource())
                .setRevision(written.revision())
                .build();
          });
    }

    @Override
    public void getDpu(GetDpuRequest request, StreamObserver<GetDpuResponse> answer) {
      answer(
          answer,
          () -> GetDpuResponse.newBuilder().setDpu((Dpu) store.get(request.getName())).build());
    }

    @Override
    public void listDpus(ListDpusRequest request, StreamObserver<ListDpusResponse> answer) {
      answer(
          answer,
          () -> {
            FakeRules.Page page =
                FakeRules.page(store.list("dpus"), request.getPageToken(), request.getFilter());
            ListDpusResponse.Builder list =
                ListDpusResponse.newBuilder().setNextPageToken(page.next());
            page.resources().forEach(r -> list.addDpus((Dpu) r));
            return list.build();
          });
    }

    @Override
    public void updateDpu(UpdateDpuRequest request, StreamObserver<UpdateDpuResponse> answer) {
      answer(
          answer,
          () -> {
            Written written =
                store.update(
                    request.getDpu(),
                    request.getUpdateMask(),
                    request.getRequestId(),
                    Set.of("display_name", "vtep_address", "underlay_mtu_bytes", "failure_domain"));
            return UpdateDpuResponse.newBuilder()
                .setDpu((Dpu) written.resource())
                .setRevision(written.revision())
                .build();
          });
    }

    @Override
    public void deleteDpu(DeleteDpuRequest request, StreamObserver<DeleteDpuResponse> answer) {
      answer(
          answer,
          () ->
              DeleteDpuResponse.newBuilder()
                  .setRevision(
                      store.delete(request.getName(), request.getEtag(), request.getRequestId()))
                  .build());
    }
  }
}
