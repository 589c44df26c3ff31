package io.gatehouse.control.api;

import static io.gatehouse.wire.FieldReader.read;
import static io.gatehouse.wire.FieldReader.uint32;

import io.gatehouse.control.decide.Command;
import io.gatehouse.control.decide.DpuCommand.CreateDpu;
import io.gatehouse.control.decide.DpuCommand.DeleteDpu;
import io.gatehouse.control.decide.DpuCommand.DpuPatch;
import io.gatehouse.control.decide.DpuCommand.UpdateDpu;
import io.gatehouse.control.decide.Etag;
import io.gatehouse.control.image.Event.DpuPut;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.sequencer.Committed;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.proto.v1.CreateDpuRequest;
import io.gatehouse.proto.v1.CreateDpuResponse;
import io.gatehouse.proto.v1.DeleteDpuRequest;
import io.gatehouse.proto.v1.DeleteDpuResponse;
import io.gatehouse.proto.v1.Dpu;
import io.gatehouse.proto.v1.DpuServiceGrpc;
import io.gatehouse.proto.v1.GetDpuRequest;
import io.gatehouse.proto.v1.GetDpuResponse;
import io.gatehouse.proto.v1.ListDpusRequest;
import io.gatehouse.proto.v1.ListDpusResponse;
import io.gatehouse.proto.v1.UpdateDpuRequest;
import io.gatehouse.proto.v1.UpdateDpuResponse;
import io.gatehouse.wire.DpuWire;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** The service of DPUs. */
final class DpuService extends DpuServiceGrpc.DpuServiceImplBase {
  private static final Set<String> CHANGEABLE =
      Set.of("display_name", "vtep_address", "underlay_mtu_bytes", "failure_domain");

  private final Calls calls;
  private final StatusSource status;

  DpuService(Calls calls, StatusSource status) {
    this.calls = calls;
    this.status = status;
  }

  @Override
  public void createDpu(CreateDpuRequest request, StreamObserver<CreateDpuResponse> observer) {
    calls.change(
        observer,
        "dpu",
        () -> create(request),
        committed ->
            CreateDpuResponse.newBuilder()
                .setDpu(stored(committed))
                .setRevision(committed.entry().revision())
                .build());
  }

  @Override
  public void getDpu(GetDpuRequest request, StreamObserver<GetDpuResponse> observer) {
    calls.read(
        observer,
        image -> {
          DpuName name = read("name", request.getName(), DpuName::parse);
          return GetDpuResponse.newBuilder()
              .setDpu(message(image, Found.existing(image.dpu(name), name)))
              .build();
        });
  }

  @Override
  public void listDpus(ListDpusRequest request, StreamObserver<ListDpusResponse> observer) {
    calls.read(
        observer,
        image -> {
          Predicate<io.gatehouse.model.Dpu> wanted =
              Filter.parse(request.getFilter(), filtered(image));
          var page =
              Paging.of(request.getPageSize(), request.getPageToken(), "dpus", request.getFilter())
                  .page(image.dpus(), wanted, DpuName::parse);
          return ListDpusResponse.newBuilder()
              .addAllDpus(page.resources().stream().map(dpu -> message(image, dpu)).toList())
              .setNextPageToken(page.nextToken())
              .build();
        });
  }

  @Override
  public void updateDpu(UpdateDpuRequest request, StreamObserver<UpdateDpuResponse> observer) {
    calls.change(
        observer,
        "dpu",
        () -> update(request),
        committed ->
            UpdateDpuResponse.newBuilder()
                .setDpu(stored(committed))
                .setRevision(committed.entry().revision())
                .build());
  }

  @Override
  public void deleteDpu(DeleteDpuRequest request, StreamObserver<DeleteDpuResponse> observer) {
    calls.change(
        observer,
        "",
        () ->
            new DeleteDpu(
                calls.request(request.getRequestId(), request),
                read("name", request.getName(), DpuName::parse),
                request.getEtag()),
        committed ->
            DeleteDpuResponse.newBuilder().setRevision(committed.entry().revision()).build());
  }

  private Command create(CreateDpuRequest request) {
    Dpu dpu = request.getDpu();
    return new CreateDpu(
        calls.request(request.getRequestId(), request),
        read("name", dpu.getName(), DpuName::parse),
        dpu.getDisplayName(),
        vtep(dpu),
        underlayMtu(dpu),
        DpuWire.failureDomain(dpu.getFailureDomain()));
  }

  private Command update(UpdateDpuRequest request) {
    Dpu dpu = request.getDpu();
    UpdateMask mask = UpdateMask.of(request.getUpdateMask(), CHANGEABLE);
    DpuPatch patch =
        new DpuPatch(
            mask.ifNamed("display_name", dpu::getDisplayName),
            mask.ifNamed("vtep_address", () -> vtep(dpu)),
            mask.ifNamed("underlay_mtu_bytes", () -> underlayMtu(dpu)),
            mask.ifNamed("failure_domain", () -> DpuWire.failureDomain(dpu.getFailureDomain())));
    return new UpdateDpu(
        calls.request(request.getRequestId(), request),
        read("name", dpu.getName(), DpuName::parse),
        patch,
        dpu.getEtag());
  }

  private Map<String, Filter.Field<io.gatehouse.model.Dpu>> filtered(Image image) {
    return Map.of(
        "name",
        Filter.Field.text(dpu -> dpu.name().toString()),
        "display_name",
        Filter.Field.text(io.gatehouse.model.Dpu::displayName),
        "vtep_address",
        new Filter.Field<>(
            dpu -> dpu.vtepAddress().toString(), text -> IpAddress.parse(text).toString()),
        "connected",
        new Filter.Field<>(
            dpu -> Boolean.toString(status.dpuStatus(image, dpu.name()).getConnected()),
            DpuService::booleanText));
  }

  private static String booleanText(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new InvalidValueException("connected", text, "is neither true nor false");
    }
    return text;
  }

  private static IpAddress vtep(Dpu dpu) {
    return read("vtep_address", dpu.getVtepAddress(), IpAddress::parse);
  }

  private static int underlayMtu(Dpu dpu) {
    int mtuBytes = uint32("underlay_mtu_bytes", dpu.getUnderlayMtuBytes());
    return mtuBytes == 0 ? io.gatehouse.model.Dpu.DEFAULT_UNDERLAY_MTU_BYTES : mtuBytes;
  }

  private Dpu stored(Committed committed) {
    return message(committed.after(), Found.put(committed.entry(), DpuPut.class).dpu());
  }

  private Dpu message(Image image, io.gatehouse.model.Dpu dpu) {
    return DpuWire.toProto(dpu).toBuilder()
        .setEtag(Etag.of(dpu))
        .setStatus(status.dpuStatus(image, dpu.name()))
        .build();
  }
}
