package io.gatehouse.control.cli;

import io.gatehouse.proto.v1.DpuMtu;
import io.gatehouse.proto.v1.ExplainMtuRequest;
import io.gatehouse.proto.v1.ExplainMtuResponse;
import io.gatehouse.proto.v1.ListDpuMtusRequest;
import io.gatehouse.proto.v1.ListDpuMtusResponse;
import io.gatehouse.proto.v1.MtuServiceGrpc;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Answers what it was told; a page has one DPU, its token is the number of the next. */
final class FakeMtuService extends MtuServiceGrpc.MtuServiceImplBase {
  final Map<String, ExplainMtuResponse> networks = new HashMap<>();
  final List<DpuMtu> dpus = new ArrayList<>();

  @Override
  public void explainMtu(ExplainMtuRequest request, StreamObserver<ExplainMtuResponse> responses) {
    ExplainMtuResponse known = networks.get(request.getName());
    if (known == null) {
      responses.onError(Status.NOT_FOUND.withDescription("no network").asRuntimeException());
      return;
    }
    responses.onNext(known);
    responses.onCompleted();
  }

  @Override
  public void listDpuMtus(
      ListDpuMtusRequest request, StreamObserver<ListDpuMtusResponse> responses) {
    if (!request.getDpu().isEmpty()) {
      DpuMtu only =
          dpus.stream()
              .filter(dpu -> dpu.getDpu().equals(request.getDpu()))
              .findFirst()
              .orElse(null);
      if (only == null) {
        responses.onError(Status.NOT_FOUND.withDescription("no DPU").asRuntimeException());
        return;
      }
      responses.onNext(ListDpuMtusResponse.newBuilder().addDpus(only).build());
      responses.onCompleted();
      return;
    }
    String token = request.getPageToken();
    int index = token.isEmpty() ? 0 : Integer.parseInt(token);
    ListDpuMtusResponse.Builder page = ListDpuMtusResponse.newBuilder().addDpus(dpus.get(index));
    if (index + 1 < dpus.size()) {
      page.setNextPageToken(Integer.toString(index + 1));
    }
    responses.onNext(page.build());
    responses.onCompleted();
  }
}
