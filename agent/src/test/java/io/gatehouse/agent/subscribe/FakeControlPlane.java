package io.gatehouse.agent.subscribe;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.proto.v1.ExplainAnswer;
import io.gatehouse.proto.v1.ExplainQuery;
import io.gatehouse.proto.v1.Hello;
import io.gatehouse.proto.v1.IsolationAnswer;
import io.gatehouse.proto.v1.IsolationQuery;
import io.gatehouse.proto.v1.PathAnswer;
import io.gatehouse.proto.v1.PathQuery;
import io.gatehouse.proto.v1.RenewalRequest;
import io.gatehouse.proto.v1.SyncRequest;
import io.gatehouse.proto.v1.SyncResponse;
import io.gatehouse.proto.v1.SyncServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A control plane on a loopback port that says what a test tells it to, byte for byte, and demands
 * that each stream starts with a Hello and has no second one.
 */
final class FakeControlPlane implements ControlPlane, AutoCloseable {
  private static final long LIMIT_SECONDS = 60;

  private final Server server;
  private final BlockingQueue<Stream> streams = new LinkedBlockingQueue<>();
  private final BlockingQueue<RenewalRequest> renewals = new LinkedBlockingQueue<>();
  private final AtomicInteger brokenCertificates = new AtomicInteger();

  FakeControlPlane() throws IOException {
    MethodDescriptor<SyncRequest, byte[]> method =
        SyncServiceGrpc.getSyncMethod().toBuilder(
                SyncServiceGrpc.getSyncMethod().getRequestMarshaller(), new Bytes())
            .build();
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(
                ServerServiceDefinition.builder(SyncServiceGrpc.SERVICE_NAME)
                    .addMethod(method, ServerCalls.asyncBidiStreamingCall(this::open))
                    .build())
            .build()
            .start();
  }

  private StreamObserver<SyncRequest> open(StreamObserver<byte[]> responses) {
    Stream stream = new Stream(responses);
    streams.add(stream);
    return stream;
  }

  /** The next renewal that was asked for. */
  RenewalRequest renewal() throws InterruptedException {
    RenewalRequest renewal = renewals.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
    assertThat(renewal).as("a renewal within the limit").isNotNull();
    return renewal;
  }

  /** Whether the agent has opened no other stream so far. */
  boolean noOtherStream() {
    return streams.isEmpty();
  }

  /** The next calls of {@link #connect} find no usable certificate. */
  void breakCertificates(int times) {
    brokenCertificates.set(times);
  }

  /** The next stream that the agent opens. */
  Stream accept() throws InterruptedException {
    Stream stream = streams.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
    assertThat(stream).as("a stream within the limit").isNotNull();
    return stream;
  }

  @Override
  public ManagedChannel connect() throws IOException {
    if (brokenCertificates.getAndUpdate(left -> Math.max(left - 1, 0)) > 0) {
      throw new IOException("the certificate has expired");
    }
    return NettyChannelBuilder.forAddress(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getPort()))
        .usePlaintext()
        .build();
  }

  @Override
  public Hello.Builder introduction() {
    return Hello.newBuilder().setAgentVersion("test").setBootId("boot");
  }

  @Override
  public void renewalAsked(RenewalRequest request) {
    renewals.add(request);
  }

  @Override
  public CompletableFuture<PathAnswer> probePath(PathQuery query) {
    return CompletableFuture.completedFuture(
        PathAnswer.newBuilder().setQueryId(query.getQueryId()).build());
  }

  @Override
  public CompletableFuture<IsolationAnswer> prove(IsolationQuery query) {
    return CompletableFuture.completedFuture(
        IsolationAnswer.newBuilder().setQueryId(query.getQueryId()).build());
  }

  @Override
  public CompletableFuture<ExplainAnswer> explain(ExplainQuery query) {
    if (query.getPort().isEmpty()) {
      return CompletableFuture.failedFuture(new IOException("the switch does not answer"));
    }
    return CompletableFuture.completedFuture(
        ExplainAnswer.newBuilder().setQueryId(query.getQueryId()).build());
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  /** One stream of an agent. */
  static final class Stream implements StreamObserver<SyncRequest> {
    private final StreamObserver<byte[]> responses;
    private final BlockingQueue<SyncRequest> requests = new LinkedBlockingQueue<>();
    private final BlockingQueue<Long> heartbeats = new LinkedBlockingQueue<>();
    private final CountDownLatch ended = new CountDownLatch(1);

    private Stream(StreamObserver<byte[]> responses) {
      this.responses = responses;
    }

    void send(SyncResponse.Builder message) {
      send(message.build().toByteArray());
    }

    void send(byte[] anything) {
      responses.onNext(anything);
    }

    void end(Status status) {
      responses.onError(status.asRuntimeException());
    }

    Hello hello() throws InterruptedException {
      SyncRequest first = next();
      assertThat(first.hasHello()).as("first message: %s", first).isTrue();
      return first.getHello();
    }

    /** The next message that is not a heartbeat, which come by the clock. */
    SyncRequest next() throws InterruptedException {
      SyncRequest request = requests.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
      assertThat(request).as("a message within the limit").isNotNull();
      return request;
    }

    /** Waits for a heartbeat that comes from now on; gives its number. */
    long heartbeat() throws InterruptedException {
      heartbeats.clear();
      Long sequence = heartbeats.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
      assertThat(sequence).as("a heartbeat within the limit").isNotNull();
      return sequence;
    }

    /** Waits until the agent has ended it; what it said before stays to be read. */
    void awaitEnd() throws InterruptedException {
      assertThat(ended.await(LIMIT_SECONDS, TimeUnit.SECONDS)).as("an end").isTrue();
    }

    @Override
    public void onNext(SyncRequest request) {
      if (request.hasHeartbeat()) {
        heartbeats.add(request.getHeartbeat().getSequence());
        return;
      }
      requests.add(request);
    }

    @Override
    public void onError(Throwable error) {
      ended.countDown();
    }

    @Override
    public void onCompleted() {
      ended.countDown();
    }
  }

  /** Bytes as they are. */
  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      throw new IllegalStateException("nobody reads answers here");
    }
  }
}
