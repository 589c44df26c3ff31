package io.gatehouse.control;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/**
 * Answers bytes that are no message with INVALID_ARGUMENT. gRPC by itself answers UNKNOWN and logs
 * a stack trace for each, which a caller could fill the log with.
 */
final class UnreadableMessages implements ServerInterceptor {
  private UnreadableMessages() {}

  /** The service, with its messages read where the failure can be answered. */
  static ServerServiceDefinition refused(ServerServiceDefinition service) {
    return ServerInterceptors.intercept(
        ServerInterceptors.useInputStreamMessages(service), new UnreadableMessages());
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    return new Reading<>(next.startCall(call, headers), call);
  }

  private static final class Reading<Q> extends SimpleForwardingServerCallListener<Q> {
    private final ServerCall<Q, ?> call;
    private boolean refused;

    Reading(ServerCall.Listener<Q> delegate, ServerCall<Q, ?> call) {
      super(delegate);
      this.call = call;
    }

    @Override
    public void onMessage(Q message) {
      try {
        super.onMessage(message);
      } catch (StatusRuntimeException e) {
        refused = true;
        call.close(
            Status.INVALID_ARGUMENT.withDescription("the request is not readable as a message"),
            new Metadata());
      }
    }

    /** The service has seen no request: what it would say has no call to go to. */
    @Override
    public void onHalfClose() {
      if (!refused) {
        super.onHalfClose();
      }
    }
  }
}
