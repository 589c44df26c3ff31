package io.gatehouse.control.api;

import static io.gatehouse.wire.FieldReader.read;

import io.gatehouse.control.decide.Command;
import io.gatehouse.control.decide.Etag;
import io.gatehouse.control.decide.OperatorCommand.CreateOperator;
import io.gatehouse.control.decide.OperatorCommand.DeleteOperator;
import io.gatehouse.control.decide.OperatorCommand.OperatorPatch;
import io.gatehouse.control.decide.OperatorCommand.UpdateOperator;
import io.gatehouse.control.image.Event.OperatorPut;
import io.gatehouse.control.sequencer.Committed;
import io.gatehouse.model.name.OperatorName;
import io.gatehouse.proto.v1.CreateOperatorRequest;
import io.gatehouse.proto.v1.CreateOperatorResponse;
import io.gatehouse.proto.v1.DeleteOperatorRequest;
import io.gatehouse.proto.v1.DeleteOperatorResponse;
import io.gatehouse.proto.v1.GetOperatorRequest;
import io.gatehouse.proto.v1.GetOperatorResponse;
import io.gatehouse.proto.v1.ListOperatorsRequest;
import io.gatehouse.proto.v1.ListOperatorsResponse;
import io.gatehouse.proto.v1.Operator;
import io.gatehouse.proto.v1.OperatorServiceGrpc;
import io.gatehouse.proto.v1.Role;
import io.gatehouse.proto.v1.UpdateOperatorRequest;
import io.gatehouse.proto.v1.UpdateOperatorResponse;
import io.gatehouse.wire.OperatorWire;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** The service of operators. */
final class OperatorService extends OperatorServiceGrpc.OperatorServiceImplBase {
  private static final Set<String> CHANGEABLE = Set.of("display_name", "role");

  private static final Map<String, Filter.Field<io.gatehouse.model.Operator>> FILTERED =
      Map.of(
          "name", Filter.Field.text(operator -> operator.name().toString()),
          "display_name", Filter.Field.text(io.gatehouse.model.Operator::displayName),
          "role",
              new Filter.Field<>(
                  operator -> operator.role().name(),
                  value -> EnumText.normal(value, "ROLE_", Role.class)));

  private final Calls calls;

  OperatorService(Calls calls) {
    this.calls = calls;
  }

  @Override
  public void createOperator(
      CreateOperatorRequest request, StreamObserver<CreateOperatorResponse> observer) {
    calls.change(
        observer,
        "operator",
        () -> create(request),
        committed ->
            CreateOperatorResponse.newBuilder()
                .setOperator(stored(committed))
                .setRevision(committed.entry().revision())
                .build());
  }

  @Override
  public void getOperator(
      GetOperatorRequest request, StreamObserver<GetOperatorResponse> observer) {
    calls.read(
        observer,
        image -> {
          OperatorName name = read("name", request.getName(), OperatorName::parse);
          return GetOperatorResponse.newBuilder()
              .setOperator(message(Found.existing(image.operator(name), name)))
              .build();
        });
  }

  @Override
  public void listOperators(
      ListOperatorsRequest request, StreamObserver<ListOperatorsResponse> observer) {
    calls.read(
        observer,
        image -> {
          Predicate<io.gatehouse.model.Operator> wanted =
              Filter.parse(request.getFilter(), FILTERED);
          String parent = request.getParent();
          var page =
              Paging.of(
                      request.getPageSize(),
                      request.getPageToken(),
                      "operators",
                      parent,
                      request.getFilter())
                  .page(Parent.operators(image, parent), wanted, OperatorName::parse);
          return ListOperatorsResponse.newBuilder()
              .addAllOperators(page.resources().stream().map(OperatorService::message).toList())
              .setNextPageToken(page.nextToken())
              .build();
        });
  }

  @Override
  public void updateOperator(
      UpdateOperatorRequest request, StreamObserver<UpdateOperatorResponse> observer) {
    calls.change(
        observer,
        "operator",
        () -> update(request),
        committed ->
            UpdateOperatorResponse.newBuilder()
                .setOperator(stored(committed))
                .setRevision(committed.entry().revision())
                .build());
  }

  @Override
  public void deleteOperator(
      DeleteOperatorRequest request, StreamObserver<DeleteOperatorResponse> observer) {
    calls.change(
        observer,
        "",
        () ->
            new DeleteOperator(
                calls.request(request.getRequestId(), request),
                read("name", request.getName(), OperatorName::parse),
                request.getEtag()),
        committed ->
            DeleteOperatorResponse.newBuilder().setRevision(committed.entry().revision()).build());
  }

  private Command create(CreateOperatorRequest request) {
    Operator operator = request.getOperator();
    return new CreateOperator(
        calls.request(request.getRequestId(), request),
        read("name", operator.getName(), OperatorName::parse),
        operator.getDisplayName(),
        OperatorWire.role(operator.getRole()));
  }

  private Command update(UpdateOperatorRequest request) {
    Operator operator = request.getOperator();
    UpdateMask mask = UpdateMask.of(request.getUpdateMask(), CHANGEABLE);
    OperatorPatch patch =
        new OperatorPatch(
            mask.ifNamed("display_name", operator::getDisplayName),
            mask.ifNamed("role", () -> OperatorWire.role(operator.getRole())));
    return new UpdateOperator(
        calls.request(request.getRequestId(), request),
        read("name", operator.getName(), OperatorName::parse),
        patch,
        operator.getEtag());
  }

  private static Operator stored(Committed committed) {
    return message(Found.put(committed.entry(), OperatorPut.class).operator());
  }

  private static Operator message(io.gatehouse.model.Operator operator) {
    return OperatorWire.toProto(operator).toBuilder().setEtag(Etag.of(operator)).build();
  }
}
