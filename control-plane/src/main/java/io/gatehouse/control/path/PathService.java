package io.gatehouse.control.path;

import io.gatehouse.control.api.Paging;
import io.gatehouse.control.fleet.DpuStatusStore;
import io.gatehouse.control.image.Image;
import io.gatehouse.model.Dpu;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.proto.v1.DpuPaths;
import io.gatehouse.proto.v1.ListPathsRequest;
import io.gatehouse.proto.v1.ListPathsResponse;
import io.gatehouse.proto.v1.PathServiceGrpc;
import io.gatehouse.proto.v1.ProbePathRequest;
import io.gatehouse.proto.v1.ProbePathResponse;
import io.gatehouse.proto.v1.ProbedPath;
import io.gatehouse.wire.FieldReader;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Tells what agents have measured of the paths between DPUs, and has them measure one now. */
public final class PathService extends PathServiceGrpc.PathServiceImplBase {
  private static final String ALL = "dpus/-";
  private static final int MAX_PAGE = 100;

  private final Supplier<Image> images;
  private final DpuStatusStore store;
  private final AgentProbes agents;

  public PathService(Supplier<Image> images, DpuStatusStore store, AgentProbes agents) {
    this.images = images;
    this.store = store;
    this.agents = agents;
  }

  @Override
  public void listPaths(ListPathsRequest request, StreamObserver<ListPathsResponse> responses) {
    try {
      int size = request.getPageSize();
      if (size < 0 || size > MAX_PAGE) {
        throw new InvalidValueException("page_size", size, "is outside 0.." + MAX_PAGE);
      }
      Paging.Page<Dpu> page =
          Paging.of(
                  size == 0 ? MAX_PAGE : size, request.getPageToken(), "paths", request.getParent())
              .page(
                  asked(request.getParent()),
                  dpu -> store.paths(dpu.name()).getPathsCount() > 0,
                  DpuName::parse);
      responses.onNext(
          ListPathsResponse.newBuilder()
              .addAllDpus(page.resources().stream().map(this::paths).toList())
              .setNextPageToken(page.nextToken())
              .build());
      responses.onCompleted();
    } catch (InvalidValueException | StatusRuntimeException e) {
      responses.onError(refusal(e));
    }
  }

  @Override
  public void probePath(ProbePathRequest request, StreamObserver<ProbePathResponse> responses) {
    try {
      DpuName from = FieldReader.read("from", request.getFrom(), DpuName::parse);
      DpuName to = FieldReader.read("to", request.getTo(), DpuName::parse);
      String network = request.getNetwork();
      if (!network.isEmpty()) {
        known("network", FieldReader.read("network", network, NetworkName::parse));
      }
      known("from", from);
      known("to", to);
      if (from.equals(to)) {
        throw new InvalidValueException("to", to.toString(), "is where the path begins");
      }
      CompletableFuture<?> unused =
          agents
              .probe(from, to, network)
              .thenCombine(agents.probe(to, from, network), PathService::both)
              .thenAccept(
                  response -> {
                    responses.onNext(response);
                    responses.onCompleted();
                  });
    } catch (InvalidValueException | StatusRuntimeException e) {
      responses.onError(refusal(e));
    }
  }

  private static StatusRuntimeException refusal(RuntimeException refused) {
    return refused instanceof InvalidValueException invalid
        ? Status.INVALID_ARGUMENT
            .withDescription(invalid.field() + ": " + invalid.reason())
            .asRuntimeException()
        : (StatusRuntimeException) refused;
  }

  private static ProbePathResponse both(ProbedPath there, ProbedPath back) {
    return ProbePathResponse.newBuilder().addPaths(there).addPaths(back).build();
  }

  private void known(String field, NetworkName network) {
    if (images.get().network(network).isEmpty()) {
      throw notFound(field, network);
    }
  }

  private void known(String field, DpuName dpu) {
    if (images.get().dpu(dpu).isEmpty()) {
      throw notFound(field, dpu);
    }
  }

  private static StatusRuntimeException notFound(String field, Object name) {
    return Status.NOT_FOUND
        .withDescription(field + ": " + name + " does not exist")
        .asRuntimeException();
  }

  private NavigableMap<DpuName, Dpu> asked(String parent) {
    Image image = images.get();
    if (parent.equals(ALL)) {
      return image.dpus();
    }
    DpuName name = FieldReader.read("parent", parent, DpuName::parse);
    Optional<Dpu> dpu = image.dpu(name);
    if (dpu.isEmpty()) {
      throw notFound("parent", parent);
    }
    return new TreeMap<>(Map.of(name, dpu.get()));
  }

  private DpuPaths paths(Dpu dpu) {
    return DpuPaths.newBuilder()
        .setDpu(dpu.name().toString())
        .setConnected(store.isConnected(dpu.name()))
        .addAllPaths(store.paths(dpu.name()).getPathsList())
        .build();
  }
}
