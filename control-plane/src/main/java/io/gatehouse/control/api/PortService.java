package io.gatehouse.control.api;

import static io.gatehouse.wire.FieldReader.read;

import io.gatehouse.control.decide.Command;
import io.gatehouse.control.decide.Etag;
import io.gatehouse.control.decide.PortCommand.DeletePort;
import io.gatehouse.control.image.Event.PortPut;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.sequencer.Committed;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.security.Quarantine;
import io.gatehouse.proto.v1.CreatePortRequest;
import io.gatehouse.proto.v1.CreatePortResponse;
import io.gatehouse.proto.v1.DeletePortRequest;
import io.gatehouse.proto.v1.DeletePortResponse;
import io.gatehouse.proto.v1.ExplainPortRequest;
import io.gatehouse.proto.v1.ExplainPortResponse;
import io.gatehouse.proto.v1.GetPortRequest;
import io.gatehouse.proto.v1.GetPortResponse;
import io.gatehouse.proto.v1.ListPortsRequest;
import io.gatehouse.proto.v1.ListPortsResponse;
import io.gatehouse.proto.v1.Port;
import io.gatehouse.proto.v1.PortAdminState;
import io.gatehouse.proto.v1.PortServiceGrpc;
import io.gatehouse.proto.v1.PortState;
import io.gatehouse.proto.v1.UpdatePortRequest;
import io.gatehouse.proto.v1.UpdatePortResponse;
import io.gatehouse.wire.PortWire;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.function.Predicate;

/** The service of ports. */
final class PortService extends PortServiceGrpc.PortServiceImplBase {
  private final Calls calls;
  private final PortRequests requests;
  private final StatusSource status;
  private final PortExplanations explanations;

  PortService(Calls calls, PortRequests requests, StatusSource status, PortExplainer explainer) {
    this.calls = calls;
    this.requests = requests;
    this.status = status;
    this.explanations = new PortExplanations(explainer, this::message);
  }

  @Override
  public void createPort(CreatePortRequest request, StreamObserver<CreatePortResponse> observer) {
    calls.change(
        observer,
        "port",
        () -> requests.create(request),
        committed ->
            CreatePortResponse.newBuilder()
                .setPort(stored(committed))
                .setRevision(committed.entry().revision())
                .build());
  }

  @Override
  public void getPort(GetPortRequest request, StreamObserver<GetPortResponse> observer) {
    calls.read(
        observer,
        image -> {
          PortName name = read("name", request.getName(), PortName::parse);
          return GetPortResponse.newBuilder()
              .setPort(message(image, Found.existing(image.port(name), name)))
              .build();
        });
  }

  @Override
  public void listPorts(ListPortsRequest request, StreamObserver<ListPortsResponse> observer) {
    calls.read(
        observer,
        image -> {
          String parent = request.getParent();
          Predicate<NetworkName> meant = Parent.meant(parent);
          Predicate<io.gatehouse.model.Port> wanted =
              Filter.parse(request.getFilter(), filtered(image));
          var page =
              Paging.of(
                      request.getPageSize(),
                      request.getPageToken(),
                      "ports",
                      parent,
                      request.getFilter())
                  .page(
                      Parent.ports(image, parent),
                      wanted.and(port -> meant.test(port.name().network())),
                      PortName::parse);
          return ListPortsResponse.newBuilder()
              .addAllPorts(page.resources().stream().map(port -> message(image, port)).toList())
              .setNextPageToken(page.nextToken())
              .build();
        });
  }

  @Override
  public void updatePort(UpdatePortRequest request, StreamObserver<UpdatePortResponse> observer) {
    calls.change(
        observer,
        "port",
        () -> requests.update(request),
        committed ->
            UpdatePortResponse.newBuilder()
                .setPort(stored(committed))
                .setRevision(committed.entry().revision())
                .build());
  }

  @Override
  public void deletePort(DeletePortRequest request, StreamObserver<DeletePortResponse> observer) {
    calls.change(
        observer,
        "",
        () -> delete(request),
        committed ->
            DeletePortResponse.newBuilder().setRevision(committed.entry().revision()).build());
  }

  @Override
  public void explainPort(
      ExplainPortRequest request, StreamObserver<ExplainPortResponse> observer) {
    explanations.explain(calls.image(), request, observer);
  }

  private Command delete(DeletePortRequest request) {
    PortName name = read("name", request.getName(), PortName::parse);
    TenantPlacement.checkNotHeld(calls.image(), name);
    return new DeletePort(calls.request(request.getRequestId(), request), name, request.getEtag());
  }

  private Map<String, Filter.Field<io.gatehouse.model.Port>> filtered(Image image) {
    return Map.of(
        "name", Filter.Field.text(port -> port.name().toString()),
        "display_name", Filter.Field.text(io.gatehouse.model.Port::displayName),
        "dpu",
            new Filter.Field<>(
                port -> port.dpu().toString(), text -> DpuName.parse(text).toString()),
        "function", Filter.Field.text(io.gatehouse.model.Port::function),
        "mac_address",
            new Filter.Field<>(
                port -> port.mac().toString(), text -> MacAddress.parse(text).toString()),
        "admin_state",
            new Filter.Field<>(
                port -> port.enabled() ? "ENABLED" : "DISABLED",
                text -> EnumText.normal(text, "PORT_ADMIN_STATE_", PortAdminState.class)),
        "state",
            new Filter.Field<>(
                port -> stateText(status.portStatus(image, port).getState()),
                text -> EnumText.normal(text, "PORT_STATE_", PortState.class)));
  }

  private static String stateText(PortState state) {
    return EnumText.normal(state.name(), "PORT_STATE_", PortState.class);
  }

  private Port stored(Committed committed) {
    return message(committed.after(), Found.put(committed.entry(), PortPut.class).port());
  }

  private Port message(Image image, io.gatehouse.model.Port port) {
    return PortWire.toProto(port).toBuilder()
        .setEtag(Etag.of(port))
        .setStatus(status.portStatus(image, port))
        .setQuarantineReason(image.quarantineOf(port).map(Quarantine::reason).orElse(""))
        .build();
  }
}
