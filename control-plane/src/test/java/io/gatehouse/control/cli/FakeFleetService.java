package io.gatehouse.control.cli;

import io.gatehouse.proto.v1.Dpu;
import io.gatehouse.proto.v1.FleetServiceGrpc;
import io.gatehouse.proto.v1.GetFleetStatusRequest;
import io.gatehouse.proto.v1.GetFleetStatusResponse;
import io.gatehouse.proto.v1.Laggard;
import io.gatehouse.proto.v1.WaitForRevisionRequest;
import io.gatehouse.proto.v1.WaitForRevisionResponse;
import io.gatehouse.proto.v1.WatchChangesRequest;
import io.gatehouse.proto.v1.WatchChangesResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A fleet whose DPUs apply at once, but those that the test holds back. Scopes are recorded and
 * must exist; a stream of changes ends when all were sent.
 */
final class FakeFleetService extends FleetServiceGrpc.FleetServiceImplBase {
  private final FakeStore store;
  final List<String> waitedFor = new ArrayList<>();

  /** The laggards catch up at this call; 0 for never. */
  int reachedAtWait;

  final List<Laggard> laggards = new ArrayList<>();
  final List<WatchChangesResponse> changes = new ArrayList<>();

  final List<String> degraded = new ArrayList<>();
  final List<String> lowered = new ArrayList<>();

  /** Scopes that this operator may not see. */
  final Set<String> hidden = ConcurrentHashMap.newKeySet();

  FakeFleetService(FakeStore store) {
    this.store = store;
  }

  @Override
  public void getFleetStatus(
      GetFleetStatusRequest request, StreamObserver<GetFleetStatusResponse> answer) {
    FakeResourceServices.answer(answer, () -> status(request.getScope()));
  }

  @Override
  public void waitForRevision(
      WaitForRevisionRequest request, StreamObserver<WaitForRevisionResponse> answer) {
    FakeResourceServices.answer(
        answer,
        () -> {
          waitedFor.add(request.getRevision() + " " + request.getScope());
          if (reachedAtWait == waitedFor.size()) {
            laggards.clear();
          }
          return WaitForRevisionResponse.newBuilder()
              .setReached(laggards.isEmpty())
              .setStatus(status(request.getScope()))
              .build();
        });
  }

  @Override
  public void watchChanges(
      WatchChangesRequest request, StreamObserver<WatchChangesResponse> answer) {
    if (request.getAfterRevision() > store.revision()) {
      answer.onError(Status.OUT_OF_RANGE.withDescription("no such revision").asRuntimeException());
      return;
    }
    changes.stream()
        .filter(change -> change.getRevision() > request.getAfterRevision())
        .forEach(answer::onNext);
    answer.onCompleted();
  }

  private GetFleetStatusResponse status(String scope) {
    if (hidden.contains(scope)) {
      throw Status.NOT_FOUND.withDescription("scope: does not exist").asRuntimeException();
    }
    if (!scope.isEmpty()) {
      store.get(scope);
    }
    int dpus = scope.startsWith("dpus/") ? 1 : store.list("dpus").size();
    return GetFleetStatusResponse.newBuilder()
        .setRevision(store.revision())
        .setAppliedRevision(
            laggards.stream().mapToLong(Laggard::getAppliedRevision).min().orElse(store.revision()))
        .setDpuCount(dpus)
        .setCurrentDpuCount(dpus - laggards.size())
        .addAllLaggards(laggards)
        .setDegradedNetworkCount(degraded.size())
        .addAllDegradedNetworks(degraded.stream().limit(2).toList())
        .setLoweredNetworkCount(lowered.size())
        .addAllLoweredNetworks(lowered)
        .setTenantCount(store.list("tenants").size())
        .setNetworkCount(store.list("tenants/-/networks").size())
        .setPortCount(store.list("tenants/-/networks/-/ports").size())
        .build();
  }

  /** Sets what a DPU reported. */
  void report(Dpu dpu) {
    store.amend(dpu.getName(), stored -> ((Dpu) stored).toBuilder().mergeFrom(dpu).build());
  }
}
