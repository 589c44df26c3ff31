package io.gatehouse.control.identity;

import io.gatehouse.control.auth.RefusalLog;
import io.gatehouse.control.limit.SourceAddress;
import io.gatehouse.runtime.CallBudget;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Notes where a call comes from, and lets each address call so often and no more. */
public final class AddressLimit implements ServerInterceptor {
  static final int BURST = 20;
  static final Duration INTERVAL = Duration.ofSeconds(3);

  /** Whoever has more addresses than that still has to guess 256 bits. */
  static final int REMEMBERED = 10_000;

  private final CallBudget budget;
  private final RefusalLog refusals;

  /**
   * A limit.
   *
   * @param nanoClock a monotonic clock
   */
  public AddressLimit(RefusalLog refusals, LongSupplier nanoClock) {
    this.refusals = refusals;
    this.budget = budget(nanoClock);
  }

  /** A few at once, then one every few seconds. */
  static CallBudget budget(LongSupplier nanoClock) {
    return new CallBudget(INTERVAL, BURST, REMEMBERED, nanoClock);
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    SourceAddress source = SourceAddress.of(call.getAttributes());
    if (budget.take(source.group()).isEmpty()) {
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
