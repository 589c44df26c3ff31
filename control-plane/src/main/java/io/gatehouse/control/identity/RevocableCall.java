package io.gatehouse.control.identity;

import io.gatehouse.control.image.identity.ShownCertificate;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * A call that can be ended from outside. gRPC's calls are not made for several threads: what goes
 * out is put into one order here, and after the end is dropped. To the service a revocation looks
 * as if its caller had gone.
 */
final class RevocableCall<Q, R> extends SimpleForwardingServerCall<Q, R> {
  private final ShownCertificate shown;
  private final Instant certificateEnd;
  private final Consumer<RevocableCall<?, ?>> onEnd;
  private boolean closed;
  private volatile boolean revoked;

  /**
   * A call.
   *
   * @param shown the caller's certificate
   * @param certificateEnd when that expires
   * @param onEnd told once when the call has ended, however
   */
  RevocableCall(
      ServerCall<Q, R> call,
      ShownCertificate shown,
      Instant certificateEnd,
      Consumer<RevocableCall<?, ?>> onEnd) {
    super(call);
    this.shown = shown;
    this.certificateEnd = certificateEnd;
    this.onEnd = onEnd;
  }

  ShownCertificate shown() {
    return shown;
  }

  Instant certificateEnd() {
    return certificateEnd;
  }

  /** Ends the call; false if it had ended already. */
  synchronized boolean revoke(Status status) {
    if (closed) {
      return false;
    }
    revoked = true;
    closed = true;
    super.close(status, new Metadata());
    return true;
  }

  ServerCall.Listener<Q> watched(ServerCall.Listener<Q> listener) {
    return new Watched(listener);
  }

  @Override
  public synchronized void request(int count) {
    if (!closed) {
      super.request(count);
    }
  }

  @Override
  public synchronized void sendHeaders(Metadata headers) {
    if (!closed) {
      super.sendHeaders(headers);
    }
  }

  @Override
  public synchronized void sendMessage(R message) {
    if (!revoked) {
      super.sendMessage(message);
    }
  }

  @Override
  public synchronized void close(Status status, Metadata trailers) {
    if (!revoked) {
      closed = true;
      super.close(status, trailers);
    }
  }

  @Override
  public boolean isCancelled() {
    return revoked || super.isCancelled();
  }

  @Override
  public boolean isReady() {
    return !revoked && super.isReady();
  }

  private final class Watched extends SimpleForwardingServerCallListener<Q> {
    Watched(ServerCall.Listener<Q> listener) {
      super(listener);
    }

    @Override
    public void onMessage(Q message) {
      if (!revoked) {
        super.onMessage(message);
      }
    }

    @Override
    public void onHalfClose() {
      if (!revoked) {
        super.onHalfClose();
      }
    }

    @Override
    public void onCancel() {
      onEnd.accept(RevocableCall.this);
      super.onCancel();
    }

    @Override
    public void onComplete() {
      onEnd.accept(RevocableCall.this);
      if (revoked) {
        super.onCancel();
        return;
      }
      super.onComplete();
    }
  }
}
