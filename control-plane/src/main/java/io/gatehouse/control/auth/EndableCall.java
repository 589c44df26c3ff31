package io.gatehouse.control.auth;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.function.Consumer;

/**
 * A call that can be ended from outside. gRPC's calls are not made for several threads: what goes
 * out is put into one order here, and after the end is dropped. To the service such an end looks as
 * if its caller had gone.
 */
public final class EndableCall<Q, R> extends SimpleForwardingServerCall<Q, R> {
  private final Consumer<EndableCall<?, ?>> onEnd;
  private boolean closed;
  private volatile boolean ended;

  /**
   * A call.
   *
   * @param onEnd told once when the call has ended, however
   */
  public EndableCall(ServerCall<Q, R> call, Consumer<EndableCall<?, ?>> onEnd) {
    super(call);
    this.onEnd = onEnd;
  }

  /** Ends the call; false if it had ended already. */
  public synchronized boolean end(Status status) {
    if (closed) {
      return false;
    }
    ended = true;
    closed = true;
    super.close(status, new Metadata());
    return true;
  }

  /** The service's listener, which hears of the end as of a caller that has gone. */
  public ServerCall.Listener<Q> watched(ServerCall.Listener<Q> listener) {
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
    if (!ended) {
      super.sendMessage(message);
    }
  }

  @Override
  public synchronized void close(Status status, Metadata trailers) {
    if (!ended) {
      closed = true;
      super.close(status, trailers);
    }
  }

  @Override
  public boolean isCancelled() {
    return ended || super.isCancelled();
  }

  @Override
  public boolean isReady() {
    return !ended && super.isReady();
  }

  private final class Watched extends SimpleForwardingServerCallListener<Q> {
    Watched(ServerCall.Listener<Q> listener) {
      super(listener);
    }

    @Override
    public void onMessage(Q message) {
      if (!ended) {
        super.onMessage(message);
      }
    }

    @Override
    public void onHalfClose() {
      if (!ended) {
        super.onHalfClose();
      }
    }

    @Override
    public void onCancel() {
      onEnd.accept(EndableCall.this);
      super.onCancel();
    }

    @Override
    public void onComplete() {
      onEnd.accept(EndableCall.this);
      if (ended) {
        super.onCancel();
        return;
      }
      super.onComplete();
    }
  }
}
