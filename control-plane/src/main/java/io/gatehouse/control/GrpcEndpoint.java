package io.gatehouse.control;

import com.google.common.collect.Lists;
import io.gatehouse.control.auth.PrincipalConnections;
import io.gatehouse.control.auth.RefusalLog;
import io.gatehouse.control.auth.TenantBoundary;
import io.gatehouse.control.limit.GatedTransport;
import io.gatehouse.control.limit.PeerLimits;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
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
  private static final int MAX_IDLE_MINUTES = 30;

  /** Calls that a peer may begin and take back: more than an honest one has any use for. */
  private static final int RESETS = 500;

  private static final int RESETS_SECONDS = 10;
  private static final int PEER_KEEPALIVE_SECONDS = 5;
  private static final int GRACE_SECONDS = 5;

  private final Server server;
  private final HealthStatusManager health;
  private final GatedTransport transport;
  private final AtomicBoolean draining = new AtomicBoolean();

  private GrpcEndpoint(Server server, HealthStatusManager health, GatedTransport transport) {
    this.server = server;
    this.health = health;
    this.transport = transport;
  }

  /**
   * Who stands at the door of every listener.
   *
   * @param peers asked in this order about each call
   * @param boundary keeps a tenant's calls within the tenant
   * @param connections counts those of each certificate's holder
   * @param refusals takes handshakes that failed
   */
  record Guards(
      List<ServerInterceptor> peers,
      TenantBoundary boundary,
      PrincipalConnections connections,
      RefusalLog refusals,
      PeerLimits limits) {
    Guards {
      peers = List.copyOf(peers);
    }

    /** The same, and another that is asked before them. */
    Guards behind(ServerInterceptor first) {
      List<ServerInterceptor> all = new ArrayList<>(peers);
      all.add(0, first);
      return new Guards(all, boundary, connections, refusals, limits);
    }
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
   * @param executor from {@link #executor}; whoever made it ends it, after the endpoint
   * @throws IOException if the address cannot be bound
   */
  static GrpcEndpoint start(
      InetSocketAddress address,
      SslContext tls,
      Guards guards,
      List<BindableService> services,
      ExecutorService executor)
      throws IOException {
    HealthStatusManager health = new HealthStatusManager();
    PeerLimits limits = guards.limits();
    GatedTransport transport = new GatedTransport(limits, guards.refusals()::refusedHandshake);
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(address)
            .sslContext(tls)
            .executor(executor)
            .addTransportFilter(guards.connections())
            .maxInboundMessageSize(MAX_MESSAGE_BYTES)
            .maxInboundMetadataSize(MAX_METADATA_BYTES)
            .maxConcurrentCallsPerConnection(MAX_CALLS_PER_CONNECTION)
            .maxRstFramesPerWindow(RESETS, RESETS_SECONDS)
            .maxConnectionIdle(MAX_IDLE_MINUTES, TimeUnit.MINUTES)
            .handshakeTimeout(limits.handshake().toMillis(), TimeUnit.MILLISECONDS)
            .keepAliveTime(limits.silence().toMillis(), TimeUnit.MILLISECONDS)
            .keepAliveTimeout(limits.silence().toMillis() / 2, TimeUnit.MILLISECONDS)
            .permitKeepAliveTime(PEER_KEEPALIVE_SECONDS, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .addService(health.getHealthService());
    // The last one that is given is asked first.
    Lists.reverse(guards.peers()).forEach(builder::intercept);
    services.forEach(
        service ->
            builder.addService(
                UnreadableMessages.refused(
                    ServerInterceptors.intercept(service, guards.boundary()))));
    transport.serve(builder);
    try {
      return new GrpcEndpoint(builder.build().start(), health, transport);
    } catch (IOException e) {
      transport.close();
      throw e;
    }
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
    transport.close();
  }
}
