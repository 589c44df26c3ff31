package io.gatehouse.agent.subscribe;

import io.gatehouse.proto.v1.Heartbeat;
import io.gatehouse.proto.v1.Hello;
import io.gatehouse.proto.v1.SyncRequest;
import io.gatehouse.proto.v1.SyncResponse;
import io.gatehouse.proto.v1.SyncServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.concurrent.Executor;

/**
 * One open Sync stream. Callers use it from one thread; what it hears is handed to that thread, one
 * message at a time: the next is asked for when the last has been dealt with.
 */
final class SyncStream {
  private final ManagedChannel channel;
  private final ClientCallStreamObserver<SyncRequest> requests;
  private long heartbeats;

  /** Is told what the stream brings, on the caller's thread. */
  interface Listener {
    void received(SyncStream stream, SyncResponse message);

    /** The stream is over; nothing follows. */
    void ended(SyncStream stream, Status status);
  }

  private SyncStream(ManagedChannel channel, ClientCallStreamObserver<SyncRequest> requests) {
    this.channel = channel;
    this.requests = requests;
  }

  /** Opens a stream on a channel, which it then owns, and says hello. */
  static SyncStream open(ManagedChannel channel, Hello hello, Executor thread, Listener listener) {
    Observer observer = new Observer(thread, listener);
    ClientCallStreamObserver<SyncRequest> requests =
        (ClientCallStreamObserver<SyncRequest>) SyncServiceGrpc.newStub(channel).sync(observer);
    SyncStream stream = new SyncStream(channel, requests);
    observer.stream = stream;
    stream.send(SyncRequest.newBuilder().setHello(hello).build());
    requests.request(1);
    return stream;
  }

  void send(SyncRequest message) {
    requests.onNext(message);
  }

  void heartbeat(long appliedRevision) {
    heartbeats++;
    send(
        SyncRequest.newBuilder()
            .setHeartbeat(
                Heartbeat.newBuilder().setSequence(heartbeats).setAppliedRevision(appliedRevision))
            .build());
  }

  void close() {
    channel.shutdownNow();
  }

  /** Receives on a thread of gRPC and forwards. */
  private static final class Observer implements ClientResponseObserver<SyncRequest, SyncResponse> {
    private final Executor thread;
    private final Listener listener;
    private volatile SyncStream stream;

    // The stream and its observer know each other; it is set before the first message is asked for.
    @SuppressWarnings("NullAway.Init")
    Observer(Executor thread, Listener listener) {
      this.thread = thread;
      this.listener = listener;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<SyncRequest> call) {
      call.disableAutoRequestWithInitial(0);
    }

    @Override
    public void onNext(SyncResponse message) {
      thread.execute(
          () -> {
            listener.received(stream, message);
            stream.requests.request(1);
          });
    }

    @Override
    public void onError(Throwable error) {
      ended(Status.fromThrowable(error));
    }

    @Override
    public void onCompleted() {
      ended(Status.UNAVAILABLE.withDescription("the control plane ended the stream"));
    }

    private void ended(Status status) {
      thread.execute(() -> listener.ended(stream, status));
    }
  }
}
