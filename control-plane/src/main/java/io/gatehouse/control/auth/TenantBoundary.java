package io.gatehouse.control.auth;

import com.google.protobuf.Message;
import io.gatehouse.control.auth.TenantMessages.ForeignNameException;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;

/**
 * Keeps the calls of a tenant's operators within that tenant. What is another's is answered as what
 * does not exist, whether it does or not, and goes to the audit. Calls of the fleet's operators and
 * of DPUs pass untouched. Sits between a service and the reading of its messages.
 */
public final class TenantBoundary implements ServerInterceptor {
  private static final int SHOWN_CHARACTERS = 200;
  private static final Metadata.Key<com.google.rpc.Status> DETAILS =
      Metadata.Key.of(
          "grpc-status-details-bin",
          ProtoUtils.metadataMarshaller(com.google.rpc.Status.getDefaultInstance()));

  private final RefusalLog refusals;

  public TenantBoundary(RefusalLog refusals) {
    this.refusals = refusals;
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    Caller caller = Caller.current();
    if (caller.tenant().isEmpty()) {
      return next.startCall(call, headers);
    }
    TenantMessages messages = new TenantMessages(caller.tenant().get());
    Answers<Q, R> answers = new Answers<>(call, caller, messages, refusals);
    return new Requests<>(
        next.startCall(answers, headers),
        messages,
        foreign -> {
          refusals.refused(
              caller.actor(),
              call.getMethodDescriptor().getFullMethodName(),
              shown(foreign.name()),
              Status.PERMISSION_DENIED.withDescription(
                  foreign.field() + " is outside " + caller.tenant().get()));
          call.close(
              Status.NOT_FOUND.withDescription(
                  foreign.field() + ": " + shown(foreign.name()) + " does not exist"),
              new Metadata());
        });
  }

  private static String shown(String name) {
    return name.length() <= SHOWN_CHARACTERS ? name : name.substring(0, SHOWN_CHARACTERS) + "…";
  }

  /** Answers a request that leaves the tenant. */
  private interface Refuser {
    void refuse(ForeignNameException foreign);
  }

  private static final class Requests<Q> extends SimpleForwardingServerCallListener<Q> {
    private final TenantMessages messages;
    private final Refuser refuser;
    private boolean refused;

    Requests(ServerCall.Listener<Q> service, TenantMessages messages, Refuser refuser) {
      super(service);
      this.messages = messages;
      this.refuser = refuser;
    }

    @Override
    // The same message type with other field values.
    @SuppressWarnings("unchecked")
    public void onMessage(Q message) {
      if (refused) {
        return;
      }
      Q narrowed;
      try {
        if (!(message instanceof Message request)) {
          throw new ForeignNameException("request", "");
        }
        narrowed = (Q) messages.narrowed(request);
      } catch (ForeignNameException e) {
        refused = true;
        refuser.refuse(e);
        return;
      }
      super.onMessage(narrowed);
    }

    /** The service has seen no request: what it would say has no call to go to. */
    @Override
    public void onHalfClose() {
      if (!refused) {
        super.onHalfClose();
      }
    }
  }

  private static final class Answers<Q, R> extends SimpleForwardingServerCall<Q, R> {
    private final Caller caller;
    private final TenantMessages messages;
    private final RefusalLog refusals;

    Answers(ServerCall<Q, R> call, Caller caller, TenantMessages messages, RefusalLog refusals) {
      super(call);
      this.caller = caller;
      this.messages = messages;
      this.refusals = refusals;
    }

    @Override
    // The same message type with other field values.
    @SuppressWarnings("unchecked")
    public void sendMessage(R message) {
      super.sendMessage(message instanceof Message answer ? (R) messages.blotted(answer) : message);
    }

    @Override
    public void close(Status status, Metadata trailers) {
      if (status.getCode() == Status.Code.PERMISSION_DENIED) {
        refusals.refused(caller.actor(), getMethodDescriptor().getFullMethodName(), "", status);
      }
      String text = status.getDescription();
      String shown = text == null ? null : messages.blotted(text);
      if (shown != null && !shown.equals(text)) {
        // The details repeat the text.
        trailers.discardAll(DETAILS);
        super.close(status.withDescription(shown), trailers);
        return;
      }
      super.close(status, trailers);
    }
  }
}
