package io.gatehouse.control.testing;

import io.gatehouse.control.publish.FakeAgent;
import io.gatehouse.proto.v1.ExplainAnswer;
import io.gatehouse.proto.v1.IsolationAnswer;
import io.gatehouse.proto.v1.IsolationProof;
import io.gatehouse.proto.v1.PortObservation;
import io.gatehouse.proto.v1.SyncRequest;
import io.gatehouse.proto.v1.SyncResponse;
import io.gatehouse.proto.v1.SyncServiceGrpc;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A fake agent on a real stream; acks what it is sent, and answers what it is asked. */
public final class GrpcAgent implements StreamObserver<SyncResponse> {
  /** What its proofs say. */
  public static final long PROVED_PACKETS = 77;

  private final FakeAgent agent;
  private volatile @Nullable Status end;
  private @Nullable StreamObserver<SyncRequest> requests;

  public GrpcAgent(FakeAgent agent) {
    this.agent = agent;
  }

  /** Opens a stream and says Hello. */
  public synchronized void connect(Channel channel) {
    end = null;
    StreamObserver<SyncRequest> stream = SyncServiceGrpc.newStub(channel).sync(this);
    requests = stream;
    stream.onNext(agent.hello());
  }

  /** Sends anything. */
  public synchronized void send(SyncRequest request) {
    StreamObserver<SyncRequest> stream = requests;
    if (stream != null) {
      stream.onNext(request);
    }
  }

  /** Newest revision that it holds. */
  public synchronized long revision() {
    return agent.heldRevision();
  }

  public synchronized boolean holds(String name) {
    return agent.held().containsKey(name);
  }

  public synchronized long configBytes() {
    return agent.configBytes();
  }

  /** How often it was asked to renew its certificate. */
  public synchronized int renewalRequests() {
    return agent.renewalRequests();
  }

  /** How the stream ended; empty while it is open. */
  public Optional<Status> end() {
    return Optional.ofNullable(end);
  }

  @Override
  public synchronized void onNext(SyncResponse response) {
    if (response.hasExplainQuery()) {
      send(
          SyncRequest.newBuilder()
              .setExplainAnswer(
                  ExplainAnswer.newBuilder()
                      .setQueryId(response.getExplainQuery().getQueryId())
                      .setObservation(PortObservation.newBuilder().setDevice("pf0vf0")))
              .build());
      return;
    }
    if (response.hasIsolationQuery()) {
      long id = response.getIsolationQuery().getQueryId();
      IsolationProof.Builder proof =
          IsolationProof.newBuilder()
              .setRevision(agent.heldRevision())
              .setWalkedPacketCount(PROVED_PACKETS)
              .setComplete(true);
      // An agent reports each proof that it makes, and then answers who has asked for it.
      for (long query : new long[] {0, id}) {
        IsolationAnswer.Builder answer = IsolationAnswer.newBuilder().setQueryId(query);
        send(SyncRequest.newBuilder().setIsolationAnswer(answer.setProof(proof)).build());
      }
      return;
    }
    agent.received(response).ifPresent(this::send);
  }

  @Override
  public void onError(Throwable cause) {
    end = Status.fromThrowable(cause);
  }

  @Override
  public void onCompleted() {
    end = Status.OK;
  }
}
