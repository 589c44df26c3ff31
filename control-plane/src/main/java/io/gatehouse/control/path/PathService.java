package io.gatehouse.control.path;

import io.gatehouse.control.api.Paging;
import io.gatehouse.control.fleet.DpuStatusStore;
import io.gatehouse.control.image.Image;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.proto.v1.DpuPaths;
import io.gatehouse.proto.v1.ListPathsRequest;
import io.gatehouse.proto.v1.ListPathsResponse;
import io.gatehouse.proto.v1.PathReport;
import io.gatehouse.proto.v1.PathServiceGrpc;
import io.gatehouse.wire.FieldReader;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Tells what agents have measured of the paths between DPUs. */
public final class PathService extends PathServiceGrpc.PathServiceImplBase {
  private static final String ALL = "dpus/-";

  private final Supplier<Image> images;
  private final DpuStatusStore store;

  public PathService(Supplier<Image> images, DpuStatusStore store) {
    this.images = images;
    this.store = store;
  }

  @Override
  public void listPaths(ListPathsRequest request, StreamObserver<ListPathsResponse> responses) {
    try {
      NavigableMap<DpuName, DpuPaths> known = known(request.getParent());
      Paging.Page<DpuPaths> page =
          Paging.of(request.getPageSize(), request.getPageToken(), "paths", request.getParent())
              .page(known, paths -> true, DpuName::parse);
      responses.onNext(
          ListPathsResponse.newBuilder()
              .addAllDpus(page.resources())
              .setNextPageToken(page.nextToken())
              .build());
      responses.onCompleted();
    } catch (InvalidValueException e) {
      responses.onError(
          Status.INVALID_ARGUMENT
              .withDescription(e.field() + ": " + e.reason())
              .asRuntimeException());
    } catch (UnknownDpuException e) {
      responses.onError(Status.NOT_FOUND.withDescription(e.getMessage()).asRuntimeException());
    }
  }

  private NavigableMap<DpuName, DpuPaths> known(String parent) throws UnknownDpuException {
    NavigableMap<DpuName, DpuPaths> known = new TreeMap<>();
    Image image = images.get();
    if (parent.equals(ALL)) {
      image.dpus().keySet().forEach(dpu -> add(known, dpu));
      return known;
    }
    DpuName dpu = FieldReader.read("parent", parent, DpuName::parse);
    if (image.dpu(dpu).isEmpty()) {
      throw new UnknownDpuException("parent: " + parent + " does not exist");
    }
    add(known, dpu);
    return known;
  }

  private void add(NavigableMap<DpuName, DpuPaths> known, DpuName dpu) {
    PathReport report = store.paths(dpu);
    if (report.getPathsCount() > 0) {
      known.put(
          dpu,
          DpuPaths.newBuilder()
              .setDpu(dpu.toString())
              .setConnected(store.isConnected(dpu))
              .addAllPaths(report.getPathsList())
              .build());
    }
  }

  /** The parent of a listing does not exist. */
  private static final class UnknownDpuException extends Exception {
    private static final long serialVersionUID = 1;

    UnknownDpuException(String message) {
      super(message);
    }
  }
}
