package io.gatehouse.control.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.Event;
import io.gatehouse.control.image.Event.OperatorDeleted;
import io.gatehouse.control.image.Event.OperatorPut;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.RequestHash;
import io.gatehouse.model.Operator;
import io.gatehouse.model.OperatorRole;
import io.gatehouse.model.name.OperatorName;
import io.gatehouse.proto.v1.AuditServiceGrpc;
import io.gatehouse.proto.v1.FleetServiceGrpc;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OpenCallsTest {
  private static final Instant START = Instant.parse("2026-11-30T10:00:00Z");
  private static final OperatorName ANN = OperatorName.ofFleet("ann");

  private final List<String> refused = new ArrayList<>();
  private Image image = Image.EMPTY;
  private Instant now = START;
  private final OpenCalls calls =
      new OpenCalls(
          () -> image,
          () -> now,
          (actor, action, subject, status) -> refused.add(actor + " " + status.getCode()));

  /** A call that remembers how it was ended; ending it twice is an error. */
  private static final class FakeCall<Q, R> extends ServerCall<Q, R> {
    private final MethodDescriptor<Q, R> method;
    private Optional<Status> end = Optional.empty();

    FakeCall(MethodDescriptor<Q, R> method) {
      this.method = method;
    }

    @Override
    public void request(int count) {
      requireOpen();
    }

    @Override
    public void sendHeaders(Metadata headers) {
      requireOpen();
    }

    @Override
    public void sendMessage(R message) {
      requireOpen();
    }

    @Override
    public void close(Status status, Metadata trailers) {
      requireOpen();
      end = Optional.of(status);
    }

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public MethodDescriptor<Q, R> getMethodDescriptor() {
      return method;
    }

    private void requireOpen() {
      if (end.isPresent()) {
        throw new IllegalStateException("the call has ended");
      }
    }
  }

  @Test
  void aCallEndsWithItsToken() {
    Caller bearer = new Caller("oidc/i/ann", Role.AUDITOR, Optional.empty(), START.plusSeconds(10));
    FakeCall<?, ?> watch = begun(FleetServiceGrpc.getWatchChangesMethod(), bearer);
    now = START.plusSeconds(10);
    calls.recheck();
    assertThat(watch.end).isEmpty();
    now = START.plusSeconds(11);
    calls.recheck();
    calls.recheck();
    assertThat(watch.end.orElseThrow().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(watch.end.orElseThrow().getDescription()).isEqualTo("the token has expired");
    assertThat(refused).containsExactly("oidc/i/ann UNAUTHENTICATED");
  }

  @Test
  void aCallEndsWithTheRoleThatItNeeds() {
    put(OperatorRole.AUDITOR);
    FakeCall<?, ?> export = begun(AuditServiceGrpc.getExportAuditMethod(), ann(Role.AUDITOR));
    FakeCall<?, ?> watch = begun(FleetServiceGrpc.getWatchChangesMethod(), ann(Role.AUDITOR));
    put(OperatorRole.FLEET_OPERATOR);
    assertThat(export.end.orElseThrow().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(export.end.orElseThrow().getDescription())
        .isEqualTo(
            "operators/ann is fleet-operator now and may not call"
                + " gatehouse.v1.AuditService/ExportAudit");
    assertThat(watch.end).as("the new role may watch, too").isEmpty();
  }

  @Test
  void allCallsEndWithTheOperator() {
    put(OperatorRole.AUDITOR);
    FakeCall<?, ?> wait = begun(FleetServiceGrpc.getWaitForRevisionMethod(), ann(Role.AUDITOR));
    FakeCall<?, ?> other =
        begun(
            FleetServiceGrpc.getWaitForRevisionMethod(),
            new Caller("oidc/i/bob", Role.AUDITOR, Optional.empty()));
    happened(new OperatorDeleted(ANN));
    assertThat(wait.end.orElseThrow().getDescription())
        .isEqualTo("operators/ann is no operator any more");
    assertThat(other.end).isEmpty();
    FakeCall<?, ?> late = begun(FleetServiceGrpc.getWaitForRevisionMethod(), ann(Role.AUDITOR));
    assertThat(late.end).as("removed before the call was noted").isPresent();
  }

  /** The service's own end and one from here do not meet. */
  @Test
  void whatHasEndedIsLeftAlone() {
    Caller bearer = new Caller("oidc/i/ann", Role.AUDITOR, Optional.empty(), START);
    FakeCall<Object, Object> call = new FakeCall<>(anyMethod());
    List<ServerCall<Object, Object>> given = new ArrayList<>();
    Context.current()
        .withValue(Caller.KEY, bearer)
        .run(
            () ->
                calls.interceptCall(
                    call,
                    new Metadata(),
                    (inner, headers) -> {
                      given.add(inner);
                      return new ServerCall.Listener<>() {};
                    }));
    given.get(0).close(Status.OK, new Metadata());
    now = START.plusSeconds(1);
    calls.recheck();
    assertThat(call.end.orElseThrow().isOk()).isTrue();
    assertThat(refused).isEmpty();
  }

  private static Caller ann(Role role) {
    return new Caller(ANN.toString(), role, Optional.empty());
  }

  private <Q, R> FakeCall<Q, R> begun(MethodDescriptor<Q, R> method, Caller caller) {
    FakeCall<Q, R> call = new FakeCall<>(method);
    Context.current()
        .withValue(Caller.KEY, caller)
        .run(
            () ->
                calls.interceptCall(
                    call, new Metadata(), (inner, headers) -> new ServerCall.Listener<>() {}));
    return call;
  }

  @SuppressWarnings("unchecked")
  private static MethodDescriptor<Object, Object> anyMethod() {
    return (MethodDescriptor<Object, Object>)
        (MethodDescriptor<?, ?>) FleetServiceGrpc.getWatchChangesMethod();
  }

  private void put(OperatorRole role) {
    happened(new OperatorPut(new Operator(ANN, "", role, START, START)));
  }

  private void happened(Event event) {
    Entry entry =
        new Entry(image.revision() + 1, now, "test", "", RequestHash.NONE, "x", List.of(event));
    image = image.apply(entry);
    calls.committed(entry, image);
  }
}
