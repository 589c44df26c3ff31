package io.gatehouse.control.cli;

import io.gatehouse.proto.v1.ExplainPortResponse;
import io.gatehouse.proto.v1.Port;
import io.gatehouse.runtime.tls.TlsFiles;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

/** A strict control plane in memory, behind TLS on a loopback port. */
final class FakeControlPlane implements AutoCloseable {
  final FakeStore store = new FakeStore();
  final FakeFleetService fleet = new FakeFleetService(store);
  final FakePathService paths = new FakePathService();
  final FakeIsolationService isolation = new FakeIsolationService();
  final FakeMtuService mtu = new FakeMtuService();

  /** What the next calls fail with, before anything else. */
  final Queue<Status> failures = new ConcurrentLinkedQueue<>();

  /** Names of the methods that were called and change something. */
  final Queue<String> writes = new ConcurrentLinkedQueue<>();

  Function<Port, ExplainPortResponse> explanation =
      port -> ExplainPortResponse.newBuilder().setPort(port).build();

  private final Server server;

  FakeControlPlane(TlsFiles tls) throws IOException {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .sslContext(tls.serverContext())
            .addService(fleet)
            .addService(isolation)
            .addService(paths)
            .addService(mtu)
            .intercept(new Gate());
    new FakeResourceServices(store, port -> explanation.apply(port))
        .all()
        .forEach(builder::addService);
    new FakeSecurityServices(store).all().forEach(builder::addService);
    builder.addService(new FakePeeringService(store));
    server = builder.build().start();
  }

  int port() {
    return server.getPort();
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  /** Counts writes, and fails on demand. */
  private final class Gate implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      Status failure = failures.poll();
      if (failure != null) {
        call.close(failure, new Metadata());
        return new ServerCall.Listener<>() {};
      }
      String method = String.valueOf(call.getMethodDescriptor().getBareMethodName());
      if (method.matches("(Create|Update|Delete).*")) {
        writes.add(method);
      }
      return next.startCall(call, headers);
    }
  }
}
