package io.gatehouse.control.identity;

import io.gatehouse.control.auth.RefusalLog;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.net.InetAddress;
import java.util.function.LongSupplier;

/** Notes where a call comes from, and lets each address call so often and no more. */
public final class AddressLimit implements ServerInterceptor {
  private final AddressBudget budget = new AddressBudget();
  private final RefusalLog refusals;
  private final LongSupplier nanoClock;

  /**
   * A limit.
   *
   * @param nanoClock a monotonic clock
   */
  public AddressLimit(RefusalLog refusals, LongSupplier nanoClock) {
    this.refusals = refusals;
    this.nanoClock = nanoClock;
  }

  /** A peer has failed before it could call. */
  public void refusedHandshake(InetAddress peer, String reason) {
    refusals.refused(
        "address/" + peer.getHostAddress(),
        "TLS handshake",
        "",
        Status.UNAUTHENTICATED.withDescription(reason));
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    SourceAddress source = SourceAddress.of(call.getAttributes());
    if (budget.take(source.group(), nanoClock.getAsLong())) {
      Context context = Context.current().withValue(SourceAddress.KEY, source);
      return Contexts.interceptCall(context, call, headers, next);
    }
    Status status =
        Status.RESOURCE_EXHAUSTED.withDescription("too many calls from this address: wait a while");
    String method = call.getMethodDescriptor().getFullMethodName();
    refusals.refused(source.actor(), method, "", status);
    call.close(status, new Metadata());
    return new ServerCall.Listener<>() {};
  }
}
