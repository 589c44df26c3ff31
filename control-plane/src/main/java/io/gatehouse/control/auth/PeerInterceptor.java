package io.gatehouse.control.auth;

import com.google.protobuf.Any;
import com.google.protobuf.util.Durations;
import com.google.rpc.Code;
import com.google.rpc.RetryInfo;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.runtime.CallBudget;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a call pass if its caller is known, has the role that the RPC asks for and has not used up
 * its calls. Everything else is refused, and refusals for want of a right go to the audit.
 */
public final class PeerInterceptor implements ServerInterceptor {
  private static final Logger LOG = LoggerFactory.getLogger(PeerInterceptor.class);

  private final Callers callers;
  private final CallBudget budget;
  private final RefusalLog refusals;

  public PeerInterceptor(Callers callers, CallBudget budget, RefusalLog refusals) {
    this.callers = callers;
    this.budget = budget;
    this.refusals = refusals;
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    String method = call.getMethodDescriptor().getFullMethodName();
    String address = Callers.anyone(call).actor();
    boolean tooMany = Boolean.TRUE.equals(call.getAttributes().get(PrincipalConnections.TOO_MANY));
    // Who shows a certificate is not made to pay for what others send from the same address.
    boolean spent = !Callers.showsCertificate(call) && budget.isSpent(address);
    if (tooMany || spent) {
      return exhausted(call, Duration.ofSeconds(1));
    }
    Caller caller;
    try {
      caller =
          Permissions.allows(Role.ANYONE, method)
              ? Callers.anyone(call)
              : callers.of(call, headers);
    } catch (StatusException e) {
      // Checking a token is work: an address has only so many bad ones.
      budget.take(address);
      return refuse(call, callers.blamed(call), e.getStatus());
    }
    Optional<Duration> pause = budget.take(caller.purse());
    if (pause.isPresent()) {
      return exhausted(call, pause.get());
    }
    if (!Permissions.allows(caller.role(), method)) {
      return refuse(
          call,
          caller.actor(),
          Status.PERMISSION_DENIED.withDescription(
              caller.actor() + " is " + caller.role().word() + " and may not call " + method));
    }
    return Contexts.interceptCall(context(caller), call, headers, next);
  }

  private static Context context(Caller caller) {
    Context context = Context.current().withValue(Caller.KEY, caller);
    return caller.role() == Role.DPU
        ? context.withValue(CallingDpu.KEY, DpuName.parse(caller.actor()))
        : context;
  }

  private <Q, R> ServerCall.Listener<Q> refuse(ServerCall<Q, R> call, String actor, Status status) {
    String method = call.getMethodDescriptor().getFullMethodName();
    LOG.atDebug().addKeyValue("peer", actor).addKeyValue("rpc", method).log("call refused");
    refusals.refused(actor, method, "", status);
    call.close(status, new Metadata());
    return new ServerCall.Listener<>() {};
  }

  private static <Q, R> ServerCall.Listener<Q> exhausted(ServerCall<Q, R> call, Duration pause) {
    RetryInfo retry =
        RetryInfo.newBuilder().setRetryDelay(Durations.fromNanos(pause.toNanos())).build();
    StatusRuntimeException thrown =
        StatusProto.toStatusRuntimeException(
            com.google.rpc.Status.newBuilder()
                .setCode(Code.RESOURCE_EXHAUSTED_VALUE)
                .setMessage(
                    "too many calls or connections: again in "
                        + Math.max(1, pause.toMillis())
                        + " ms")
                .addDetails(Any.pack(retry))
                .build());
    Metadata trailers = thrown.getTrailers();
    call.close(thrown.getStatus(), trailers == null ? new Metadata() : trailers);
    return new ServerCall.Listener<>() {};
  }
}
