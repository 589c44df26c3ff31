package io.gatehouse.control.bench;

import com.google.protobuf.ByteString;
import io.gatehouse.proto.v1.Ack;
import io.gatehouse.proto.v1.Delta;
import io.gatehouse.proto.v1.Hello;
import io.gatehouse.proto.v1.SyncRequest;
import io.gatehouse.proto.v1.SyncResponse;
import io.gatehouse.proto.v1.SyncServiceGrpc;
import io.gatehouse.wire.PolicyVersions;
import io.grpc.Channel;
import io.grpc.stub.StreamObserver;
import java.util.Collections;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** An agent that costs next to nothing: believes what it is sent, and acks it. */
final class BenchAgent {
  private final AtomicLong receivedBytes;
  private final Semaphore transfers;
  private ByteString hash = PolicyVersions.inventoryHash(Collections.emptySortedMap());
  private long revision;
  private @Nullable Inbound current;
  private @Nullable StreamObserver<SyncRequest> requests;

  /**
   * Not yet connected.
   *
   * @param receivedBytes counts policy
   * @param transfers gets a permit with each policy that came to its end
   */
  BenchAgent(AtomicLong receivedBytes, Semaphore transfers) {
    this.receivedBytes = receivedBytes;
    this.transfers = transfers;
  }

  /** Opens a stream and says Hello; an older one is no longer listened to. */
  synchronized void connect(Channel channel) {
    Inbound inbound = new Inbound();
    StreamObserver<SyncRequest> stream = SyncServiceGrpc.newStub(channel).sync(inbound);
    current = inbound;
    requests = stream;
    stream.onNext(
        SyncRequest.newBuilder()
            .setHello(Hello.newBuilder().setInventoryHash(hash).setHeldRevision(revision))
            .build());
  }

  private synchronized void received(Inbound inbound, SyncResponse response) {
    if (inbound != current) {
      return;
    }
    Delta delta = response.getDelta();
    if (delta.getUpsertsCount() + delta.getRemovalsCount() > 0) {
      receivedBytes.addAndGet(delta.getSerializedSize());
    }
    StreamObserver<SyncRequest> stream = requests;
    if (!delta.getComplete() || stream == null) {
      return;
    }
    transfers.release();
    hash = delta.getInventoryHash();
    revision = delta.getToRevision();
    stream.onNext(
        SyncRequest.newBuilder()
            .setAck(Ack.newBuilder().setAppliedRevision(revision).setHeldRevision(revision))
            .build());
  }

  private final class Inbound implements StreamObserver<SyncResponse> {
    @Override
    public void onNext(SyncResponse response) {
      received(this, response);
    }

    @Override
    public void onError(Throwable cause) {
      // The next connect is the bench's.
    }

    @Override
    public void onCompleted() {
      // As above.
    }
  }
}
