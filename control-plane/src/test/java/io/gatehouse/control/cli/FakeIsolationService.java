package io.gatehouse.control.cli;

import io.gatehouse.proto.v1.GetIsolationProofRequest;
import io.gatehouse.proto.v1.IsolationProof;
import io.gatehouse.proto.v1.IsolationServiceGrpc;
import io.gatehouse.proto.v1.ListIsolationProofsRequest;
import io.gatehouse.proto.v1.ListIsolationProofsResponse;
import io.gatehouse.proto.v1.VerifyIsolationRequest;
import io.gatehouse.proto.v1.VerifyIsolationResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.TreeMap;

/** Answers what it was told; a DPU without a proof is unavailable. */
final class FakeIsolationService extends IsolationServiceGrpc.IsolationServiceImplBase {
  final Map<String, IsolationProof> proofs = new TreeMap<>();
  volatile String scope = "";

  @Override
  public void verifyIsolation(
      VerifyIsolationRequest request, StreamObserver<VerifyIsolationResponse> responses) {
    scope = request.getScope();
    int left = proofs.size();
    for (Map.Entry<String, IsolationProof> each : proofs.entrySet()) {
      VerifyIsolationResponse.Builder answer =
          VerifyIsolationResponse.newBuilder().setDpu(each.getKey()).setRemainingCount(--left);
      boolean silent = each.getValue().equals(IsolationProof.getDefaultInstance());
      responses.onNext(
          (silent
                  ? answer.setUnavailable(each.getKey() + " is not connected")
                  : answer.setProof(each.getValue()))
              .build());
    }
    responses.onCompleted();
  }

  @Override
  public void getIsolationProof(
      GetIsolationProofRequest request, StreamObserver<IsolationProof> responses) {
    IsolationProof proof = proofs.get(request.getName());
    if (proof == null) {
      responses.onError(Status.NOT_FOUND.withDescription("no proof").asRuntimeException());
      return;
    }
    responses.onNext(proof);
    responses.onCompleted();
  }

  @Override
  public void listIsolationProofs(
      ListIsolationProofsRequest request, StreamObserver<ListIsolationProofsResponse> responses) {
    responses.onNext(
        ListIsolationProofsResponse.newBuilder().addAllProofs(proofs.values()).build());
    responses.onCompleted();
  }
}
