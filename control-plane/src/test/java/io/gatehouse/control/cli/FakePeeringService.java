package io.gatehouse.control.cli;

import static io.gatehouse.control.cli.FakeResourceServices.answer;

import com.google.protobuf.Message;
import io.gatehouse.control.cli.FakeStore.Written;
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
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.Set;

/** Peerings over a store: active once the other side has agreed. */
final class FakePeeringService extends PeeringServiceGrpc.PeeringServiceImplBase {
  private final FakeStore store;

  FakePeeringService(FakeStore store) {
    this.store = store;
  }

  @Override
  public void createPeering(
      CreatePeeringRequest request, StreamObserver<CreatePeeringResponse> observer) {
    answer(
        observer,
        () -> {
          Peering given = request.getPeering();
          Optional<Peering> other = other(given);
          Written written =
              store.create(
                  given, request.getRequestId(), half -> stateful(half, other.isPresent()));
          other.ifPresent(half -> store.amend(half.getName(), h -> stateful(h, true)));
          return CreatePeeringResponse.newBuilder()
              .setPeering((Peering) written.resource())
              .setRevision(written.revision())
              .build();
        });
  }

  @Override
  public void getPeering(GetPeeringRequest request, StreamObserver<GetPeeringResponse> observer) {
    answer(
        observer,
        () ->
            GetPeeringResponse.newBuilder()
                .setPeering((Peering) store.get(request.getName()))
                .build());
  }

  @Override
  public void listPeerings(
      ListPeeringsRequest request, StreamObserver<ListPeeringsResponse> observer) {
    answer(
        observer,
        () -> {
          FakeRules.Page page =
              FakeRules.page(
                  store.list(request.getParent() + "/peerings"),
                  request.getPageToken(),
                  request.getFilter());
          ListPeeringsResponse.Builder list =
              ListPeeringsResponse.newBuilder().setNextPageToken(page.next());
          page.resources().forEach(r -> list.addPeerings((Peering) r));
          return list.build();
        });
  }

  @Override
  public void updatePeering(
      UpdatePeeringRequest request, StreamObserver<UpdatePeeringResponse> observer) {
    answer(
        observer,
        () -> {
          Written written =
              store.update(
                  request.getPeering(),
                  request.getUpdateMask(),
                  request.getRequestId(),
                  Set.of("display_name"));
          return UpdatePeeringResponse.newBuilder()
              .setPeering((Peering) written.resource())
              .setRevision(written.revision())
              .build();
        });
  }

  @Override
  public void deletePeering(
      DeletePeeringRequest request, StreamObserver<DeletePeeringResponse> observer) {
    answer(
        observer,
        () -> {
          Optional<Peering> other = other((Peering) store.get(request.getName()));
          long revision =
              store.delete(request.getName(), request.getEtag(), request.getRequestId());
          other.ifPresent(half -> store.amend(half.getName(), h -> stateful(h, false)));
          return DeletePeeringResponse.newBuilder().setRevision(revision).build();
        });
  }

  private Optional<Peering> other(Peering half) {
    String network = half.getName().replaceFirst("/peerings/.*", "");
    return store.list(half.getPeerNetwork() + "/peerings").stream()
        .map(Peering.class::cast)
        .filter(there -> there.getPeerNetwork().equals(network))
        .findFirst();
  }

  private static Message stateful(Message half, boolean active) {
    return ((Peering) half)
        .toBuilder()
            .setState(
                active ? PeeringState.PEERING_STATE_ACTIVE : PeeringState.PEERING_STATE_PENDING)
            .build();
  }
}
