package io.gatehouse.control.api.peering;

import static io.gatehouse.wire.FieldReader.read;

import io.gatehouse.control.api.Calls;
import io.gatehouse.control.api.EnumText;
import io.gatehouse.control.api.Filter;
import io.gatehouse.control.api.Found;
import io.gatehouse.control.api.Paging;
import io.gatehouse.control.api.Parent;
import io.gatehouse.control.api.UpdateMask;
import io.gatehouse.control.decide.Command;
import io.gatehouse.control.decide.Etag;
import io.gatehouse.control.decide.peering.PeeringCommand.CreatePeering;
import io.gatehouse.control.decide.peering.PeeringCommand.DeletePeering;
import io.gatehouse.control.decide.peering.PeeringCommand.RenamePeering;
import io.gatehouse.control.image.Event.PeeringPut;
import io.gatehouse.control.sequencer.Committed;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PeeringName;
import io.gatehouse.proto.v1.CreatePeeringRequest;
import io.gatehouse.proto.v1.CreatePeeringResponse;
import io.gatehouse.proto.v1.DeletePeeringRequest;
import io.gatehouse.proto.v1.DeletePeeringResponse;
import io.gatehouse.proto.v1.GetPeeringRequest;
import io.gatehouse.proto.v1.GetPeeringResponse;
import io.gatehouse.proto.v1.ListPeeringsRequest;
import io.gatehouse.proto.v1.ListPeeringsResponse;
import io.gatehouse.proto.v1.Peering;
import io.gatehouse.proto.v1.PeeringServiceGrpc;
import io.gatehouse.proto.v1.PeeringState;
import io.gatehouse.proto.v1.UpdatePeeringRequest;
import io.gatehouse.proto.v1.UpdatePeeringResponse;
import io.gatehouse.wire.PeeringWire;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** The service of peerings. */
public final class PeeringService extends PeeringServiceGrpc.PeeringServiceImplBase {
  private static final String RESOURCE = "peering";
  private static final String STATE_PREFIX = "PEERING_STATE_";
  private static final Set<String> CHANGEABLE = Set.of("display_name");

  private static final Map<String, Filter.Field<io.gatehouse.model.Peering>> FILTERED =
      Map.of(
          "name", Filter.Field.text(peering -> peering.name().toString()),
          "display_name", Filter.Field.text(io.gatehouse.model.Peering::displayName),
          "peer_network", Filter.Field.text(peering -> peering.peer().toString()),
          "state",
              new Filter.Field<>(
                  peering -> peering.active() ? "ACTIVE" : "PENDING",
                  value -> EnumText.normal(value, STATE_PREFIX, PeeringState.class)));

  private final Calls calls;

  public PeeringService(Calls calls) {
    this.calls = calls;
  }

  @Override
  public void createPeering(
      CreatePeeringRequest request, StreamObserver<CreatePeeringResponse> observer) {
    calls.change(
        observer,
        RESOURCE,
        () -> create(request),
        committed ->
            CreatePeeringResponse.newBuilder()
                .setPeering(stored(committed))
                .setRevision(committed.entry().revision())
                .build());
  }

  @Override
  public void getPeering(GetPeeringRequest request, StreamObserver<GetPeeringResponse> observer) {
    calls.read(
        observer,
        image -> {
          PeeringName name = name(request.getName());
          return GetPeeringResponse.newBuilder()
              .setPeering(message(Found.existing(image.peering(name), name)))
              .build();
        });
  }

  @Override
  public void listPeerings(
      ListPeeringsRequest request, StreamObserver<ListPeeringsResponse> observer) {
    calls.read(
        observer,
        image -> {
          Predicate<io.gatehouse.model.Peering> wanted =
              Filter.parse(request.getFilter(), FILTERED);
          String parent = request.getParent();
          Predicate<NetworkName> meant = Parent.meant(parent);
          var page =
              Paging.of(
                      request.getPageSize(),
                      request.getPageToken(),
                      "peerings",
                      parent,
                      request.getFilter())
                  .page(
                      Parent.peerings(image, parent),
                      wanted.and(peering -> meant.test(peering.name().network())),
                      PeeringName::parse);
          return ListPeeringsResponse.newBuilder()
              .addAllPeerings(page.resources().stream().map(PeeringService::message).toList())
              .setNextPageToken(page.nextToken())
              .build();
        });
  }

  @Override
  public void updatePeering(
      UpdatePeeringRequest request, StreamObserver<UpdatePeeringResponse> observer) {
    calls.change(
        observer,
        RESOURCE,
        () -> update(request),
        committed ->
            UpdatePeeringResponse.newBuilder()
                .setPeering(stored(committed))
                .setRevision(committed.entry().revision())
                .build());
  }

  @Override
  public void deletePeering(
      DeletePeeringRequest request, StreamObserver<DeletePeeringResponse> observer) {
    calls.change(
        observer,
        "",
        () ->
            new Command.OfPeering(
                calls.request(request.getRequestId(), request),
                new DeletePeering(name(request.getName()), request.getEtag())),
        committed ->
            DeletePeeringResponse.newBuilder().setRevision(committed.entry().revision()).build());
  }

  private Command create(CreatePeeringRequest request) {
    Peering peering = request.getPeering();
    return new Command.OfPeering(
        calls.request(request.getRequestId(), request),
        new CreatePeering(
            name(peering.getName()), peering.getDisplayName(), PeeringWire.peer(peering)));
  }

  /** The display name is all that can be changed: a mask that is accepted names it. */
  private Command update(UpdatePeeringRequest request) {
    Peering peering = request.getPeering();
    UpdateMask.of(request.getUpdateMask(), CHANGEABLE);
    return new Command.OfPeering(
        calls.request(request.getRequestId(), request),
        new RenamePeering(name(peering.getName()), peering.getDisplayName(), peering.getEtag()));
  }

  private static PeeringName name(String text) {
    return read("name", text, PeeringName::parse);
  }

  private static Peering stored(Committed committed) {
    return message(Found.put(committed.entry(), PeeringPut.class).peering());
  }

  private static Peering message(io.gatehouse.model.Peering peering) {
    return PeeringWire.toProto(peering).toBuilder().setEtag(Etag.of(peering)).build();
  }
}
