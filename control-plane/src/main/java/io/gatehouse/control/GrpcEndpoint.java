package io.gatehouse.control;

import com.google.common.collect.Lists;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The gRPC server: TLS 1.3 with client certificates only, bounds on what a peer may use, and
 * keepalive both ways, so that a half-open connection is noticed in 15 s (F42).
 */
final class GrpcEndpoint implements AutoCloseable {
  private static final int MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
  private static final int MAX_METADATA_BYTES = 8 * 1024;
  private static final int MAX_CALLS_PER_CONNECTION = 256;
  private static final int HANDSHAKE_SECONDS = 10;
  private static final int KEEPALIVE_SECONDS = 10;
  private static final int KEEPALIVE_TIMEOUT_SECONDS = 5;
  private static final int PEER_KEEPALIVE_SECONDS = 5;
  private static final int GRACE_SECONDS = 5;

  private final Server server;
  private final HealthStatusManager health;
  private final ExecutorService executor;
  private final AtomicBoolean draining = new AtomicBoolean();

  private GrpcEndpoint(Server server, HealthStatusManager health, ExecutorService executor) {
    this.server = server;
    this.health = health;
    this.executor = executor;
  }

  /** Threads that carry out calls; calls do not block, so that few are enough. */
  static ExecutorService executor() {
    int threads = Math.max(4, 2 * Runtime.getRuntime().availableProcessors());
    return Executors.newFixedThreadPool(
        threads,
        task -> {
          Thread thread = new Thread(task, "grpc-call");
          thread.setDaemon(true);
          return thread;
        });
  }

  /**
   * Binds and serves.
   *
   * @param callers asked in this order about each call
   * @param executor from {@link #executor}; ends with the endpoint
   * @throws IOException if the address cannot be bound
   */
  static GrpcEndpoint start(
      InetSocketAddress address,
      SslContext tls,
      List<ServerInterceptor> callers,
      List<BindableService> services,
      ExecutorService executor)
      throws IOException {
    HealthStatusManager health = new HealthStatusManager();
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(address)
            .sslContext(tls)
            .executor(executor)
            .maxInboundMessageSize(MAX_MESSAGE_BYTES)
            .maxInboundMetadataSize(MAX_METADATA_BYTES)
            .maxConcurrentCallsPerConnection(MAX_CALLS_PER_CONNECTION)
            .handshakeTimeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS)
            .keepAliveTime(KEEPALIVE_SECONDS, TimeUnit.SECONDS)
            .keepAliveTimeout(KEEPALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
            .permitKeepAliveTime(PEER_KEEPALIVE_SECONDS, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .addService(health.getHealthService());
    // The last one that is given is asked first.
    Lists.reverse(callers).forEach(builder::intercept);
    services.forEach(service -> builder.addService(UnreadableMessages.refused(service)));
    return new GrpcEndpoint(builder.build().start(), health, executor);
  }

  int port() {
    return server.getPort();
  }

  /** Takes no more calls and says so to those who watch health; calls under way go on. */
  void drain() {
    if (draining.compareAndSet(false, true)) {
      health.enterTerminalState();
      server.shutdown();
    }
  }

  /** Ends; calls under way have a few seconds. */
  @Override
  public void close() {
    drain();
    try {
      if (!server.awaitTermination(GRACE_SECONDS, TimeUnit.SECONDS)) {
        server.shutdownNow();
        server.awaitTermination(GRACE_SECONDS, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
    executor.shutdownNow();
  }
}
