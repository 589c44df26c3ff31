package io.gatehouse.agent;

import io.gatehouse.agent.report.LocalService;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Offers the local service on a unix socket that only its owner may open. */
final class LocalServer implements AutoCloseable {
  private static final int MAX_MESSAGE_BYTES = 64 << 10;

  private final Path socket;
  private final Server server;

  LocalServer(Path socket, LocalService service, EventLoopGroup loops) {
    this.socket = socket;
    this.server =
        NettyServerBuilder.forAddress(new DomainSocketAddress(socket.toFile()))
            .channelType(EpollServerDomainSocketChannel.class)
            .bossEventLoopGroup(loops)
            .workerEventLoopGroup(loops)
            // A unix socket has no such option, and gRPC sets it on every one.
            .withChildOption(ChannelOption.SO_KEEPALIVE, null)
            .maxInboundMessageSize(MAX_MESSAGE_BYTES)
            .directExecutor()
            .addService(service)
            .build();
  }

  void start() throws IOException {
    // A socket left over by an agent that was killed would refuse the address.
    Files.deleteIfExists(socket);
    server.start();
    Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
  }

  @Override
  public void close() throws IOException {
    server.shutdownNow();
    Files.deleteIfExists(socket);
  }
}
