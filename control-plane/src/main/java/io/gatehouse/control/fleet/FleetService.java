package io.gatehouse.control.fleet;

import com.google.protobuf.Duration;
import com.google.protobuf.util.Durations;
import io.gatehouse.control.auth.Caller;
import io.gatehouse.control.journal.Journal;
import io.gatehouse.control.limit.Places;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.proto.v1.FleetServiceGrpc;
import io.gatehouse.proto.v1.GetFleetStatusRequest;
import io.gatehouse.proto.v1.GetFleetStatusResponse;
import io.gatehouse.proto.v1.WaitForRevisionRequest;
import io.gatehouse.proto.v1.WaitForRevisionResponse;
import io.gatehouse.proto.v1.WatchChangesRequest;
import io.gatehouse.proto.v1.WatchChangesResponse;
import io.gatehouse.wire.FieldReader;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Answers how far the policy is real. Waits hold no thread. */
public final class FleetService extends FleetServiceGrpc.FleetServiceImplBase {
  private static final long DEFAULT_WAIT_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final Duration MAX_WAIT = Durations.fromMinutes(10);
  private static final int MAX_WATCHES = 1_000;
  private static final int MAX_WATCHES_EACH = 32;
  private static final int MAX_WAITS_EACH = 1_000;

  private final ProgressBoard board;
  private final FleetStatus status;
  private final Journal journal;
  private final RecentChanges recent;
  private final Executor executor;
  private final Places watches = new Places(MAX_WATCHES_EACH);
  private final Places waits = new Places(MAX_WAITS_EACH);

  /**
   * The service.
   *
   * @param journal read for changes that are no longer recent
   * @param executor reads the journal for those who watch; not one that others wait for
   */
  public FleetService(
      ProgressBoard board,
      FleetStatus status,
      Journal journal,
      RecentChanges recent,
      Executor executor) {
    this.board = board;
    this.status = status;
    this.journal = journal;
    this.recent = recent;
    this.executor = executor;
  }

  @Override
  public void getFleetStatus(
      GetFleetStatusRequest request, StreamObserver<GetFleetStatusResponse> responses) {
    try {
      Scope scope = FieldReader.read("scope", request.getScope(), Scope::parse);
      responses.onNext(existing(scope, request.getScope()));
      responses.onCompleted();
    } catch (InvalidValueException e) {
      responses.onError(FleetErrors.invalid(e));
    } catch (StatusRuntimeException e) {
      responses.onError(e);
    }
  }

  @Override
  public void waitForRevision(
      WaitForRevisionRequest request, StreamObserver<WaitForRevisionResponse> responses) {
    ServerCallStreamObserver<WaitForRevisionResponse> call =
        (ServerCallStreamObserver<WaitForRevisionResponse>) responses;
    try {
      Scope scope = FieldReader.read("scope", request.getScope(), Scope::parse);
      long nanos = timeoutNanos(request);
      if (request.getRevision() < 0) {
        throw new InvalidValueException("revision", request.getRevision(), "is negative");
      }
      long revision = request.getRevision() == 0 ? board.image().revision() : request.getRevision();
      await(new RevisionWaiters.Waiter(revision, scope), nanos, scope, request, call);
    } catch (InvalidValueException e) {
      call.onError(FleetErrors.invalid(e));
    }
  }

  @Override
  public void watchChanges(
      WatchChangesRequest request, StreamObserver<WatchChangesResponse> responses) {
    ServerCallStreamObserver<WatchChangesResponse> call =
        (ServerCallStreamObserver<WatchChangesResponse>) responses;
    long after = request.getAfterRevision();
    if (after < 0) {
      call.onError(
          FleetErrors.invalid(new InvalidValueException("after_revision", after, "is negative")));
      return;
    }
    if (recent.watcherCount() >= MAX_WATCHES) {
      call.onError(FleetErrors.exhausted(MAX_WATCHES + " watch already; try again later"));
      return;
    }
    long start = after == 0 ? recent.newest() : after;
    Caller caller = Caller.current();
    if (!watches.take(caller.purse())) {
      call.onError(
          FleetErrors.exhausted("more than " + MAX_WATCHES_EACH + " watches of one caller"));
      return;
    }
    ChangeWatch.Viewer viewer =
        new ChangeWatch.Viewer(caller.tenant(), () -> watches.giveBack(caller.purse()));
    new ChangeWatch(journal, recent, call, viewer, executor, start).start();
  }

  private void await(
      RevisionWaiters.Waiter waiter,
      long nanos,
      Scope scope,
      WaitForRevisionRequest request,
      ServerCallStreamObserver<WaitForRevisionResponse> call) {
    String purse = Caller.current().purse();
    if (!waits.take(purse)) {
      call.onError(FleetErrors.exhausted("more than " + MAX_WAITS_EACH + " waits of one caller"));
      return;
    }
    call.setOnCancelHandler(() -> board.giveUp(waiter));
    CompletableFuture<Boolean> timed =
        waiter.reached().copy().completeOnTimeout(false, nanos, TimeUnit.NANOSECONDS);
    CompletableFuture<Boolean> unused =
        timed.whenComplete(
            (reached, failure) -> {
              waits.giveBack(purse);
              board.giveUp(waiter);
              answer(Boolean.TRUE.equals(reached), scope, request, call);
            });
    if (!board.await(waiter)) {
      call.onError(
          FleetErrors.exhausted(RevisionWaiters.MAX_WAITERS + " wait already; try again later"));
    }
  }

  private void answer(
      boolean reached,
      Scope scope,
      WaitForRevisionRequest request,
      ServerCallStreamObserver<WaitForRevisionResponse> call) {
    if (call.isCancelled()) {
      return;
    }
    try {
      call.onNext(
          WaitForRevisionResponse.newBuilder()
              .setReached(reached)
              .setStatus(existing(scope, request.getScope()))
              .build());
      call.onCompleted();
    } catch (StatusRuntimeException e) {
      call.onError(e);
    }
  }

  private GetFleetStatusResponse existing(Scope scope, String name) {
    Optional<GetFleetStatusResponse> response = status.of(scope);
    return response.orElseThrow(
        () ->
            Status.NOT_FOUND
                .withDescription("scope: " + name + " does not exist")
                .asRuntimeException());
  }

  private static long timeoutNanos(WaitForRevisionRequest request) {
    if (!request.hasTimeout()) {
      return DEFAULT_WAIT_NANOS;
    }
    Duration timeout = request.getTimeout();
    boolean valid = Durations.isValid(timeout) && !Durations.isNegative(timeout);
    if (!valid || Durations.compare(timeout, MAX_WAIT) > 0) {
      throw new InvalidValueException(
          "timeout", timeout.getSeconds() + " s", "is outside 0..600 s");
    }
    return Durations.toNanos(timeout);
  }
}
