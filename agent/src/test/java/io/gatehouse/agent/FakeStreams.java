package io.gatehouse.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.proto.v1.InventoryRequest;
import io.gatehouse.proto.v1.SyncRequest;
import io.gatehouse.proto.v1.SyncResponse;
import io.gatehouse.proto.v1.SyncServiceGrpc;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Streams as a control plane keeps them: one a DPU, so that a Hello ends the stream before it. What
 * happens has numbers, in the order in which it does.
 */
final class FakeStreams extends SyncServiceGrpc.SyncServiceImplBase {
  private static final long LIMIT_SECONDS = 60;

  final List<Stream> all = new CopyOnWriteArrayList<>();
  private final BlockingQueue<Stream> opened = new LinkedBlockingQueue<>();
  private final AtomicInteger order = new AtomicInteger();

  /** The next stream that has said Hello. */
  Stream next() throws InterruptedException {
    Stream stream = opened.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
    assertThat(stream).as("a stream within the limit").isNotNull();
    return stream;
  }

  @Override
  public StreamObserver<SyncRequest> sync(StreamObserver<SyncResponse> responses) {
    return new Stream(responses);
  }

  private synchronized void greeted(Stream stream) {
    stream.greeted = order.incrementAndGet();
    List<Stream> before = List.copyOf(all);
    all.add(stream);
    stream.send(
        SyncResponse.newBuilder().setInventoryRequest(InventoryRequest.getDefaultInstance()));
    before.forEach(old -> old.end(Status.ABORTED));
    opened.add(stream);
  }

  /** One stream. */
  final class Stream implements StreamObserver<SyncRequest> {
    final List<Long> heartbeats = new CopyOnWriteArrayList<>();
    final BlockingQueue<SyncRequest> requests = new LinkedBlockingQueue<>();
    volatile int greeted;
    volatile int gone;
    private final StreamObserver<SyncResponse> responses;
    private boolean ended;

    Stream(StreamObserver<SyncResponse> responses) {
      this.responses = responses;
    }

    synchronized void send(SyncResponse.Builder message) {
      responses.onNext(message.build());
    }

    synchronized void end(Status status) {
      if (!ended) {
        ended = true;
        gone = order.incrementAndGet();
        responses.onError(status.asRuntimeException());
      }
    }

    /** The next message that is no heartbeat. */
    SyncRequest request() throws InterruptedException {
      SyncRequest request = requests.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
      assertThat(request).as("a message within the limit").isNotNull();
      return request;
    }

    @Override
    public void onNext(SyncRequest request) {
      if (request.hasHello()) {
        greeted(this);
        return;
      }
      if (request.hasHeartbeat()) {
        heartbeats.add(request.getHeartbeat().getSequence());
        return;
      }
      requests.add(request);
    }

    @Override
    public synchronized void onError(Throwable error) {
      if (!ended) {
        ended = true;
        gone = order.incrementAndGet();
      }
    }

    @Override
    public void onCompleted() {
      onError(Status.CANCELLED.asRuntimeException());
    }
  }
}
