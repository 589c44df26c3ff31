package io.gatehouse.control;

import io.gatehouse.control.auth.RefusalLog;
import io.gatehouse.control.identity.AddressLimit;
import io.gatehouse.control.identity.EnrollmentService;
import io.gatehouse.control.limit.GatedTransport;
import io.gatehouse.control.limit.PeerLimits;
import io.gatehouse.runtime.tls.TlsFiles;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * The server for those who have no certificate yet: TLS 1.3, and tight bounds, for anybody may
 * connect. A connection is good for one small call and ends soon.
 */
final class EnrollmentEndpoint implements AutoCloseable {
  private static final int MAX_MESSAGE_BYTES = 32 * 1024;
  private static final int MAX_METADATA_BYTES = 4 * 1024;
  private static final int MAX_CALLS_PER_CONNECTION = 4;
  private static final int HANDSHAKE_SECONDS = 5;
  private static final int IDLE_SECONDS = 10;
  private static final int AGE_SECONDS = 30;
  private static final int GRACE_SECONDS = 5;

  /** Of one address; what else is limited is in {@link AddressLimit}. */
  private static final PeerLimits LIMITS =
      new PeerLimits(
          64, 20, 1, 1, 1, Duration.ofSeconds(HANDSHAKE_SECONDS), Duration.ofSeconds(IDLE_SECONDS));

  private final Server server;

  private final GatedTransport transport;

  private EnrollmentEndpoint(Server server, GatedTransport transport) {
    this.server = server;
    this.transport = transport;
  }

  /**
   * Binds and serves.
   *
   * @throws IOException if the address cannot be bound
   */
  static EnrollmentEndpoint start(
      InetSocketAddress address,
      TlsFiles tls,
      EnrollmentService service,
      RefusalLog refusals,
      Executor executor)
      throws IOException {
    GatedTransport transport = new GatedTransport(LIMITS, refusals::refusedHandshake);
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(address)
            .sslContext(tls.openServerContext())
            .executor(executor)
            .intercept(new AddressLimit(refusals, System::nanoTime))
            .maxInboundMessageSize(MAX_MESSAGE_BYTES)
            .maxInboundMetadataSize(MAX_METADATA_BYTES)
            .maxConcurrentCallsPerConnection(MAX_CALLS_PER_CONNECTION)
            .handshakeTimeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS)
            .maxConnectionIdle(IDLE_SECONDS, TimeUnit.SECONDS)
            .maxConnectionAge(AGE_SECONDS, TimeUnit.SECONDS)
            .maxConnectionAgeGrace(GRACE_SECONDS, TimeUnit.SECONDS)
            .maxRstFramesPerWindow(MAX_CALLS_PER_CONNECTION, AGE_SECONDS)
            .addService(UnreadableMessages.refused(service.bindService()));
    transport.serve(builder);
    try {
      return new EnrollmentEndpoint(builder.build().start(), transport);
    } catch (IOException e) {
      transport.close();
      throw e;
    }
  }

  int port() {
    return server.getPort();
  }

  /** Ends; calls under way have a few seconds. */
  @Override
  public void close() {
    server.shutdown();
    try {
      if (!server.awaitTermination(GRACE_SECONDS, TimeUnit.SECONDS)) {
        server.shutdownNow();
      }
    } catch (InterruptedException e) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
    transport.close();
  }
}
