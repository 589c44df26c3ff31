package io.gatehouse.control.mtu;

import io.gatehouse.control.api.Calls;
import io.gatehouse.control.api.Paging;
import io.gatehouse.control.auth.Caller;
import io.gatehouse.control.decide.Refusals;
import io.gatehouse.control.decide.fit.MtuChange;
import io.gatehouse.control.image.Image;
import io.gatehouse.model.Dpu;
import io.gatehouse.model.Network;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.proto.v1.DpuMtu;
import io.gatehouse.proto.v1.ExplainMtuRequest;
import io.gatehouse.proto.v1.ExplainMtuResponse;
import io.gatehouse.proto.v1.ListDpuMtusRequest;
import io.gatehouse.proto.v1.ListDpuMtusResponse;
import io.gatehouse.proto.v1.MtuServiceGrpc;
import io.gatehouse.wire.FieldReader;
import io.grpc.stub.StreamObserver;
import java.util.HashMap;
import java.util.Map;

/** Explains MTUs. */
public final class MtuService extends MtuServiceGrpc.MtuServiceImplBase {
  private static final int MAX_PAGE = 100;

  private final Calls calls;
  private final ReportedMtus reported;
  private final ReportedUnderlays underlays;

  public MtuService(Calls calls, ReportedMtus reported, ReportedUnderlays underlays) {
    this.calls = calls;
    this.reported = reported;
    this.underlays = underlays;
  }

  @Override
  public void explainMtu(ExplainMtuRequest request, StreamObserver<ExplainMtuResponse> observer) {
    calls.read(observer, image -> explained(image, request));
  }

  @Override
  public void listDpuMtus(
      ListDpuMtusRequest request, StreamObserver<ListDpuMtusResponse> observer) {
    calls.read(observer, image -> listed(image, request));
  }

  private ExplainMtuResponse explained(Image image, ExplainMtuRequest request) {
    NetworkName name = FieldReader.read("name", request.getName(), NetworkName::parse);
    Network network = Refusals.existing(image.network(name), name);
    Map<DpuName, MtuChange.Facts> facts = new HashMap<>();
    image.dpusOf(name).forEach(dpu -> facts.put(dpu, reported.of(dpu)));
    ExplainMtuResponse whole = MtuExplainer.explain(image, network, facts);
    return Caller.current().tenant().isPresent() ? MtuExplainer.forTenant(whole) : whole;
  }

  private ListDpuMtusResponse listed(Image image, ListDpuMtusRequest request) {
    int size = request.getPageSize();
    if (size < 0 || size > MAX_PAGE) {
      throw new InvalidValueException("page_size", size, "is outside 0.." + MAX_PAGE);
    }
    if (!request.getDpu().isEmpty()) {
      DpuName name = FieldReader.read("dpu", request.getDpu(), DpuName::parse);
      Dpu dpu = Refusals.existing(image.dpu(name), name);
      return ListDpuMtusResponse.newBuilder().addDpus(whole(image, dpu)).build();
    }
    Paging.Page<Dpu> page =
        Paging.of(size == 0 ? MAX_PAGE : size, request.getPageToken(), "dpuMtus")
            .page(image.dpus(), dpu -> true, DpuName::parse);
    ListDpuMtusResponse.Builder answer =
        ListDpuMtusResponse.newBuilder().setNextPageToken(page.nextToken());
    for (Dpu dpu : page.resources()) {
      answer.addDpus(whole(image, dpu));
    }
    return answer.build();
  }

  private DpuMtu whole(Image image, Dpu dpu) {
    return DpuMtus.withLayers(image, dpu, reported, underlays.of(dpu.name()));
  }
}
