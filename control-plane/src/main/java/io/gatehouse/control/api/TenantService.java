package io.gatehouse.control.api;

import static io.gatehouse.wire.FieldReader.read;

import io.gatehouse.control.auth.Caller;
import io.gatehouse.control.decide.Command;
import io.gatehouse.control.decide.Etag;
import io.gatehouse.control.decide.TenantCommand.CreateTenant;
import io.gatehouse.control.decide.TenantCommand.DeleteTenant;
import io.gatehouse.control.decide.TenantCommand.TenantPatch;
import io.gatehouse.control.decide.TenantCommand.UpdateTenant;
import io.gatehouse.control.image.Event.TenantPut;
import io.gatehouse.control.sequencer.Committed;
import io.gatehouse.model.TenantQuota;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.proto.v1.CreateTenantRequest;
import io.gatehouse.proto.v1.CreateTenantResponse;
import io.gatehouse.proto.v1.DeleteTenantRequest;
import io.gatehouse.proto.v1.DeleteTenantResponse;
import io.gatehouse.proto.v1.GetTenantRequest;
import io.gatehouse.proto.v1.GetTenantResponse;
import io.gatehouse.proto.v1.ListTenantsRequest;
import io.gatehouse.proto.v1.ListTenantsResponse;
import io.gatehouse.proto.v1.Tenant;
import io.gatehouse.proto.v1.TenantServiceGrpc;
import io.gatehouse.proto.v1.TenantState;
import io.gatehouse.proto.v1.UpdateTenantRequest;
import io.gatehouse.proto.v1.UpdateTenantResponse;
import io.gatehouse.wire.TenantWire;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The service of tenants. */
final class TenantService extends TenantServiceGrpc.TenantServiceImplBase {
  private static final Set<String> CHANGEABLE =
      Set.of(
          "display_name",
          "quota",
          "quota.max_networks",
          "quota.max_ports",
          "quota.max_security_groups",
          "state");

  private static final Map<String, Filter.Field<io.gatehouse.model.Tenant>> FILTERED =
      Map.of(
          "name", Filter.Field.text(tenant -> tenant.name().toString()),
          "display_name", Filter.Field.text(io.gatehouse.model.Tenant::displayName),
          "state",
              new Filter.Field<>(
                  tenant -> tenant.suspended() ? "SUSPENDED" : "ACTIVE",
                  value -> EnumText.normal(value, "TENANT_STATE_", TenantState.class)));

  private final Calls calls;

  TenantService(Calls calls) {
    this.calls = calls;
  }

  @Override
  public void createTenant(
      CreateTenantRequest request, StreamObserver<CreateTenantResponse> observer) {
    calls.change(
        observer,
        "tenant",
        () -> create(request),
        committed ->
            CreateTenantResponse.newBuilder()
                .setTenant(stored(committed))
                .setRevision(committed.entry().revision())
                .build());
  }

  @Override
  public void getTenant(GetTenantRequest request, StreamObserver<GetTenantResponse> observer) {
    calls.read(
        observer,
        image -> {
          TenantName name = read("name", request.getName(), TenantName::parse);
          return GetTenantResponse.newBuilder()
              .setTenant(message(Found.existing(image.tenant(name), name)))
              .build();
        });
  }

  @Override
  public void listTenants(
      ListTenantsRequest request, StreamObserver<ListTenantsResponse> observer) {
    calls.read(
        observer,
        image -> {
          Predicate<io.gatehouse.model.Tenant> wanted =
              Filter.parse(request.getFilter(), FILTERED).and(visible());
          var page =
              Paging.of(
                      request.getPageSize(), request.getPageToken(), "tenants", request.getFilter())
                  .page(image.tenants(), wanted, TenantName::parse);
          return ListTenantsResponse.newBuilder()
              .addAllTenants(page.resources().stream().map(TenantService::message).toList())
              .setNextPageToken(page.nextToken())
              .build();
        });
  }

  @Override
  public void updateTenant(
      UpdateTenantRequest request, StreamObserver<UpdateTenantResponse> observer) {
    calls.change(
        observer,
        "tenant",
        () -> update(request),
        committed ->
            UpdateTenantResponse.newBuilder()
                .setTenant(stored(committed))
                .setRevision(committed.entry().revision())
                .build());
  }

  @Override
  public void deleteTenant(
      DeleteTenantRequest request, StreamObserver<DeleteTenantResponse> observer) {
    calls.change(
        observer,
        "",
        () ->
            new DeleteTenant(
                calls.request(request.getRequestId(), request),
                read("name", request.getName(), TenantName::parse),
                request.getEtag()),
        committed ->
            DeleteTenantResponse.newBuilder().setRevision(committed.entry().revision()).build());
  }

  /** A tenant's operator sees that tenant alone. */
  private static Predicate<io.gatehouse.model.Tenant> visible() {
    Optional<TenantName> own = Caller.current().tenant();
    return tenant -> own.isEmpty() || own.get().equals(tenant.name());
  }

  private Command create(CreateTenantRequest request) {
    Tenant tenant = request.getTenant();
    return new CreateTenant(
        calls.request(request.getRequestId(), request),
        read("name", tenant.getName(), TenantName::parse),
        tenant.getDisplayName(),
        TenantWire.quota(tenant.getQuota()),
        TenantWire.suspended(tenant.getState()));
  }

  private Command update(UpdateTenantRequest request) {
    Tenant tenant = request.getTenant();
    UpdateMask mask = UpdateMask.of(request.getUpdateMask(), CHANGEABLE);
    TenantQuota quota = TenantWire.quota(tenant.getQuota());
    boolean wholeQuota = mask.has("quota");
    TenantPatch patch =
        new TenantPatch(
            mask.ifNamed("display_name", tenant::getDisplayName),
            wholeQuota || mask.has("quota.max_networks") ? quota.maxNetworks() : null,
            wholeQuota || mask.has("quota.max_ports") ? quota.maxPorts() : null,
            wholeQuota || mask.has("quota.max_security_groups") ? quota.maxSecurityGroups() : null,
            mask.ifNamed("state", () -> TenantWire.suspended(tenant.getState())));
    return new UpdateTenant(
        calls.request(request.getRequestId(), request),
        read("name", tenant.getName(), TenantName::parse),
        patch,
        tenant.getEtag());
  }

  private static Tenant stored(Committed committed) {
    return message(Found.put(committed.entry(), TenantPut.class).tenant());
  }

  private static Tenant message(io.gatehouse.model.Tenant tenant) {
    return TenantWire.toProto(tenant).toBuilder().setEtag(Etag.of(tenant)).build();
  }
}
