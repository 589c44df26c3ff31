package io.gatehouse.agent.report;

import io.gatehouse.agent.state.Health;
import io.gatehouse.proto.v1.AgentServiceGrpc;
import io.gatehouse.proto.v1.ExplainLocalPortRequest;
import io.gatehouse.proto.v1.ExplainLocalPortResponse;
import io.gatehouse.proto.v1.GetAgentStatusRequest;
import io.gatehouse.proto.v1.GetAgentStatusResponse;
import io.gatehouse.proto.v1.InstalledFlow;
import io.gatehouse.proto.v1.ListFlowsRequest;
import io.gatehouse.proto.v1.ListFlowsResponse;
import io.gatehouse.proto.v1.PortObservation;
import io.gatehouse.proto.v1.ProveIsolationRequest;
import io.gatehouse.proto.v1.ProveIsolationResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The agent's own service on its unix socket. Reads only. */
public final class LocalService extends AgentServiceGrpc.AgentServiceImplBase {
  private static final Logger log = LoggerFactory.getLogger(LocalService.class);

  private final Supplier<GetAgentStatusResponse> status;
  private final FlowLister flows;
  private final PortExplainer explainer;
  private final ProofDesk proofs;

  public LocalService(
      Supplier<GetAgentStatusResponse> status,
      FlowLister flows,
      PortExplainer explainer,
      ProofDesk proofs) {
    this.status = status;
    this.flows = flows;
    this.explainer = explainer;
    this.proofs = proofs;
  }

  @Override
  public void getAgentStatus(
      GetAgentStatusRequest request, StreamObserver<GetAgentStatusResponse> observer) {
    observer.onNext(status.get());
    observer.onCompleted();
  }

  @Override
  public void listFlows(ListFlowsRequest request, StreamObserver<ListFlowsResponse> observer) {
    CompletableFuture<List<InstalledFlow>> listed =
        request.hasTable() ? flows.list(request.getTable()) : flows.list();
    answer(
        listed.thenApply(found -> ListFlowsResponse.newBuilder().addAllFlows(found).build()),
        observer);
  }

  @Override
  public void explainLocalPort(
      ExplainLocalPortRequest request, StreamObserver<ExplainLocalPortResponse> observer) {
    CompletableFuture<PortObservation> explained = explainer.explain(request.getPort());
    answer(
        explained.thenApply(
            found -> ExplainLocalPortResponse.newBuilder().setObservation(found).build()),
        observer);
  }

  @Override
  public void proveIsolation(
      ProveIsolationRequest request, StreamObserver<ProveIsolationResponse> observer) {
    answer(
        proofs
            .prove(request.getScope())
            .thenApply(proof -> ProveIsolationResponse.newBuilder().setProof(proof).build()),
        observer);
  }

  private static <T> void answer(CompletableFuture<T> answer, StreamObserver<T> observer) {
    BiConsumer<T, Throwable> done =
        (found, failure) -> {
          if (failure == null) {
            observer.onNext(found);
            observer.onCompleted();
            return;
          }
          log.atWarn().setCause(failure).log("a local question could not be answered");
          observer.onError(
              Status.UNAVAILABLE.withDescription(reason(failure)).asRuntimeException());
        };
    CompletableFuture<T> unused = answer.whenComplete(done);
  }

  private static String reason(Throwable failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    return String.valueOf(cause.getMessage());
  }

  /** Fills the part of a status that health tells. */
  public static GetAgentStatusResponse.Builder status(Health health) {
    return GetAgentStatusResponse.newBuilder()
        .setHeldRevision(health.heldRevision())
        .setAppliedRevision(health.appliedRevision())
        .addAllComponents(AckReporter.components(health))
        .addAllProblems(AckReporter.problems(health))
        .addAllForeignObjects(health.foreign())
        .setFlowCount(health.flowCount());
  }
}
