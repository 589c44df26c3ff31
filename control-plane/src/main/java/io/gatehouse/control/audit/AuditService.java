package io.gatehouse.control.audit;

import io.gatehouse.control.api.StatusErrors;
import io.gatehouse.control.journal.Chain;
import io.gatehouse.control.journal.JournalException;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.proto.v1.AuditChain;
import io.gatehouse.proto.v1.AuditServiceGrpc;
import io.gatehouse.proto.v1.ChainVerdict;
import io.gatehouse.proto.v1.ExportAuditRequest;
import io.gatehouse.proto.v1.ExportAuditResponse;
import io.gatehouse.proto.v1.ListAuditEventsRequest;
import io.gatehouse.proto.v1.ListAuditEventsResponse;
import io.gatehouse.proto.v1.VerifyAuditRequest;
import io.gatehouse.proto.v1.VerifyAuditResponse;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Reads the audit. All of it runs on one thread of its own, for it reads much and must not keep
 * other calls waiting.
 */
public final class AuditService extends AuditServiceGrpc.AuditServiceImplBase
    implements AutoCloseable {
  private static final int WAITING = 64;

  private final Chain changes;
  private final Chain refusals;
  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(WAITING),
          task -> {
            Thread created = new Thread(task, "audit-reader");
            created.setDaemon(true);
            return created;
          });

  public AuditService(Chain changes, Chain refusals) {
    this.changes = changes;
    this.refusals = refusals;
  }

  @Override
  public void listAuditEvents(
      ListAuditEventsRequest request, StreamObserver<ListAuditEventsResponse> observer) {
    tolerateCancel(observer);
    answer(
        observer,
        () -> {
          observer.onNext(AuditPages.page(chain(request.getChain()), request));
          observer.onCompleted();
        });
  }

  @Override
  public void verifyAudit(
      VerifyAuditRequest request, StreamObserver<VerifyAuditResponse> observer) {
    tolerateCancel(observer);
    answer(
        observer,
        () -> {
          observer.onNext(
              VerifyAuditResponse.newBuilder()
                  .addVerdicts(verdict(AuditChain.AUDIT_CHAIN_CHANGES))
                  .addVerdicts(verdict(AuditChain.AUDIT_CHAIN_REFUSALS))
                  .build());
          observer.onCompleted();
        });
  }

  @Override
  public void exportAudit(
      ExportAuditRequest request, StreamObserver<ExportAuditResponse> observer) {
    ServerCallStreamObserver<ExportAuditResponse> call =
        (ServerCallStreamObserver<ExportAuditResponse>) observer;
    Chain chain;
    try {
      chain = chain(request.getChain());
    } catch (InvalidValueException e) {
      observer.onError(StatusErrors.of(e, ""));
      return;
    }
    ExportStream export = new ExportStream(request.getChain(), chain, call);
    // Each look sends what the transport takes: a slow reader holds up nobody.
    call.setOnReadyHandler(() -> answer(call, export::send));
    tolerateCancel(call);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  private void answer(StreamObserver<?> observer, Runnable work) {
    try {
      thread.execute(() -> guarded(observer, work));
    } catch (RejectedExecutionException e) {
      observer.onError(
          Status.RESOURCE_EXHAUSTED
              .withDescription(WAITING + " calls wait for the audit already: try again later")
              .asRuntimeException());
    }
  }

  /** An answer to a caller that has gone is dropped, instead of failing where it is given. */
  private static void tolerateCancel(StreamObserver<?> observer) {
    if (observer instanceof ServerCallStreamObserver<?> call) {
      call.setOnCancelHandler(() -> {});
    }
  }

  private static void guarded(StreamObserver<?> observer, Runnable work) {
    try {
      work.run();
    } catch (JournalException e) {
      observer.onError(
          Status.UNAVAILABLE.withDescription("the audit cannot be read now").asRuntimeException());
    } catch (RuntimeException e) {
      observer.onError(StatusErrors.of(e, ""));
    }
  }

  private ChainVerdict verdict(AuditChain which) {
    Chain.Check check = chain(which).check();
    return ChainVerdict.newBuilder()
        .setChain(which)
        .setIntactRowCount(check.intactRows())
        .setHeadHash(check.headHash())
        .setProblem(check.problem())
        .build();
  }

  private Chain chain(AuditChain which) {
    return switch (which) {
      case AUDIT_CHAIN_CHANGES -> changes;
      case AUDIT_CHAIN_REFUSALS -> refusals;
      case AUDIT_CHAIN_UNSPECIFIED, UNRECOGNIZED ->
          throw new InvalidValueException("chain", which, "is neither CHANGES nor REFUSALS");
    };
  }
}
