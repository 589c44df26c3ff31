package io.gatehouse.control.cli;

import io.gatehouse.proto.v1.DpuPaths;
import io.gatehouse.proto.v1.ListPathsRequest;
import io.gatehouse.proto.v1.ListPathsResponse;
import io.gatehouse.proto.v1.PathServiceGrpc;
import io.gatehouse.proto.v1.ProbePathRequest;
import io.gatehouse.proto.v1.ProbePathResponse;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;

/** Answers what it was told, one DPU a page. */
final class FakePathService extends PathServiceGrpc.PathServiceImplBase {
  final List<DpuPaths> dpus = new ArrayList<>();

  /** The answer to a probe, and what was asked. */
  final ProbePathResponse.Builder probed = ProbePathResponse.newBuilder();

  final List<ProbePathRequest> asked = new ArrayList<>();

  @Override
  public void probePath(ProbePathRequest request, StreamObserver<ProbePathResponse> responses) {
    synchronized (asked) {
      asked.add(request);
    }
    responses.onNext(probed.build());
    responses.onCompleted();
  }

  @Override
  public void listPaths(ListPathsRequest request, StreamObserver<ListPathsResponse> responses) {
    List<DpuPaths> wanted =
        dpus.stream()
            .filter(
                dpu ->
                    request.getParent().equals("dpus/-")
                        || request.getParent().equals(dpu.getDpu()))
            .toList();
    int page = request.getPageToken().isEmpty() ? 0 : Integer.parseInt(request.getPageToken());
    ListPathsResponse.Builder response = ListPathsResponse.newBuilder();
    if (page < wanted.size()) {
      response.addDpus(wanted.get(page));
    }
    if (page + 1 < wanted.size()) {
      response.setNextPageToken(Integer.toString(page + 1));
    }
    responses.onNext(response.build());
    responses.onCompleted();
  }
}
