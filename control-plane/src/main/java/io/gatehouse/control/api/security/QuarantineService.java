package io.gatehouse.control.api.security;

import static io.gatehouse.wire.FieldReader.read;

import io.gatehouse.control.api.Calls;
import io.gatehouse.control.api.Found;
import io.gatehouse.control.api.Paging;
import io.gatehouse.control.auth.Caller;
import io.gatehouse.control.decide.Command;
import io.gatehouse.control.decide.security.QuarantineCommand;
import io.gatehouse.control.decide.security.QuarantineCommand.ReleaseQuarantine;
import io.gatehouse.control.decide.security.QuarantineCommand.SetQuarantine;
import io.gatehouse.control.image.Event.QuarantineSet;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.security.QuarantineTarget;
import io.gatehouse.model.security.StandingQuarantine;
import io.gatehouse.proto.v1.ListQuarantinesRequest;
import io.gatehouse.proto.v1.ListQuarantinesResponse;
import io.gatehouse.proto.v1.QuarantineServiceGrpc;
import io.gatehouse.proto.v1.ReleaseQuarantineRequest;
import io.gatehouse.proto.v1.ReleaseQuarantineResponse;
import io.gatehouse.proto.v1.SetQuarantineRequest;
import io.gatehouse.proto.v1.SetQuarantineResponse;
import io.gatehouse.wire.QuarantineWire;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.function.Predicate;

/** The service of quarantines. */
public final class QuarantineService extends QuarantineServiceGrpc.QuarantineServiceImplBase {
  private final Calls calls;

  public QuarantineService(Calls calls) {
    this.calls = calls;
  }

  @Override
  public void setQuarantine(
      SetQuarantineRequest request, StreamObserver<SetQuarantineResponse> observer) {
    calls.change(
        observer,
        "",
        () -> set(request),
        committed ->
            SetQuarantineResponse.newBuilder()
                .setQuarantine(
                    QuarantineWire.toProto(
                        Found.put(committed.entry(), QuarantineSet.class).quarantine()))
                .setRevision(committed.entry().revision())
                .build());
  }

  @Override
  public void releaseQuarantine(
      ReleaseQuarantineRequest request, StreamObserver<ReleaseQuarantineResponse> observer) {
    calls.change(
        observer,
        "",
        () ->
            new Command.OfSecurity(
                calls.request(request.getRequestId(), request),
                new ReleaseQuarantine(
                    QuarantineWire.target(request.getTarget()), Caller.current().tenant())),
        committed ->
            ReleaseQuarantineResponse.newBuilder()
                .setRevision(committed.entry().revision())
                .build());
  }

  @Override
  public void listQuarantines(
      ListQuarantinesRequest request, StreamObserver<ListQuarantinesResponse> observer) {
    calls.read(
        observer,
        image -> {
          String parent = request.getParent();
          var page =
              Paging.of(request.getPageSize(), request.getPageToken(), "quarantines", parent)
                  .page(image.quarantines(), below(parent), QuarantineTarget::parse);
          return ListQuarantinesResponse.newBuilder()
              .addAllQuarantines(page.resources().stream().map(QuarantineWire::toProto).toList())
              .setNextPageToken(page.nextToken())
              .build();
        });
  }

  private Command set(SetQuarantineRequest request) {
    QuarantineCommand set =
        new SetQuarantine(
            QuarantineWire.target(request.getTarget()),
            QuarantineWire.quarantine(request.getReason(), request.getAllowedCidrsList()),
            Caller.current().tenant());
    return new Command.OfSecurity(calls.request(request.getRequestId(), request), set);
  }

  private static Predicate<StandingQuarantine> below(String parent) {
    if (parent.isEmpty()) {
      return standing -> true;
    }
    if (parent.equals("tenants/-")) {
      return standing -> standing.target().tenant().isPresent();
    }
    Optional<TenantName> tenant = Optional.of(read("parent", parent, TenantName::parse));
    return standing -> standing.target().tenant().equals(tenant);
  }
}
