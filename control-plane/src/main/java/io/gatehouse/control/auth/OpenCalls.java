package io.gatehouse.control.auth;

import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.Event.OperatorDeleted;
import io.gatehouse.control.image.Event.OperatorPut;
import io.gatehouse.control.image.Image;
import io.gatehouse.model.Operator;
import io.gatehouse.model.name.OperatorName;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Calls of operators that are under way. Each is ended when the right that it began with is gone:
 * its bearer token is over, its operator has another role or was removed. Comes after the caller is
 * known. Any thread.
 */
public final class OpenCalls implements ServerInterceptor {
  private final Map<EndableCall<?, ?>, Caller> open = new ConcurrentHashMap<>();
  private final Supplier<Image> newest;
  private final InstantSource clock;
  private final RefusalLog refusals;

  public OpenCalls(Supplier<Image> newest, InstantSource clock, RefusalLog refusals) {
    this.newest = newest;
    this.clock = clock;
    this.refusals = refusals;
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    Caller caller = Caller.current();
    if (caller.role() == Role.DPU || caller.role() == Role.ANYONE) {
      return next.startCall(call, headers);
    }
    EndableCall<Q, R> endable = new EndableCall<>(call, open::remove);
    open.put(endable, caller);
    // The right may have gone between the look at it and the line above.
    if (endIfRefused(endable, caller, newest.get())) {
      return new ServerCall.Listener<>() {};
    }
    return endable.watched(next.startCall(endable, headers));
  }

  /** Takes the next entry, before others tell anybody of it: who lost a right sees no more. */
  public void committed(Entry entry, Image after) {
    boolean rights =
        entry.events().stream()
            .anyMatch(event -> event instanceof OperatorPut || event instanceof OperatorDeleted);
    if (rights) {
      recheck(after);
    }
  }

  /** Ends what has run out of its time; called every second. */
  public void recheck() {
    recheck(newest.get());
  }

  private void recheck(Image image) {
    open.forEach((call, caller) -> endIfRefused(call, caller, image));
  }

  private boolean endIfRefused(EndableCall<?, ?> call, Caller caller, Image image) {
    String method = call.getMethodDescriptor().getFullMethodName();
    Optional<Status> refusal = refusal(caller, method, image);
    if (refusal.isPresent()) {
      open.remove(call);
      if (call.end(refusal.get())) {
        refusals.refused(caller.actor(), method, "", refusal.get());
      }
    }
    return refusal.isPresent();
  }

  private Optional<Status> refusal(Caller caller, String method, Image image) {
    if (clock.instant().isAfter(caller.until())) {
      return Optional.of(Status.UNAUTHENTICATED.withDescription("the token has expired"));
    }
    if (!caller.isResource()) {
      return Optional.empty();
    }
    Optional<Operator> operator = image.operator(OperatorName.parse(caller.actor()));
    if (operator.isEmpty()) {
      return Optional.of(
          Status.PERMISSION_DENIED.withDescription(caller.actor() + " is no operator any more"));
    }
    Role role = Role.of(operator.get().role());
    return Permissions.allows(role, method)
        ? Optional.empty()
        : Optional.of(
            Status.PERMISSION_DENIED.withDescription(
                caller.actor() + " is " + role.word() + " now and may not call " + method));
  }
}
