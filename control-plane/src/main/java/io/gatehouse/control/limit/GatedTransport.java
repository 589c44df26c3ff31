package io.gatehouse.control.limit;

import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sockets of a server, with a gate before TLS: a connection too many is closed before it has
 * cost a handshake. Holds the threads of the network.
 */
public final class GatedTransport implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GatedTransport.class);
  private static final long CLOSE_SECONDS = 5;

  private final AddressGate gate;
  private final BiConsumer<InetAddress, String> onFailedHandshake;
  private final EventLoopGroup boss;
  private final EventLoopGroup workers;

  /**
   * Sockets within limits.
   *
   * @param onFailedHandshake told the peer's address, and what TLS has against it; must return at
   *     once
   */
  public GatedTransport(PeerLimits limits, BiConsumer<InetAddress, String> onFailedHandshake) {
    this.onFailedHandshake = onFailedHandshake;
    this.gate =
        new AddressGate(
            limits.connectionsPerAddress(), limits.handshakesPerSecond(), System::nanoTime);
    this.boss = new MultiThreadIoEventLoopGroup(1, handler());
    this.workers = new MultiThreadIoEventLoopGroup(handler());
  }

  /** Makes a server use these sockets and threads. */
  public void serve(NettyServerBuilder builder) {
    builder
        .bossEventLoopGroup(boss)
        .workerEventLoopGroup(workers)
        .channelFactory(this::serverChannel);
  }

  @Override
  public void close() {
    Future<?> first = boss.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
    Future<?> second = workers.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
    first.awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
    second.awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
  }

  private ServerChannel serverChannel() {
    ServerChannel channel =
        Epoll.isAvailable() ? new EpollServerSocketChannel() : new NioServerSocketChannel();
    // Before gRPC's own: it never sees what is not let in.
    channel.pipeline().addFirst(new Gatekeeper(gate, onFailedHandshake));
    return channel;
  }

  private static IoHandlerFactory handler() {
    return Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
  }

  private static final class Gatekeeper extends ChannelInboundHandlerAdapter {
    private final AddressGate gate;
    private final BiConsumer<InetAddress, String> onFailedHandshake;

    Gatekeeper(AddressGate gate, BiConsumer<InetAddress, String> onFailedHandshake) {
      this.gate = gate;
      this.onFailedHandshake = onFailedHandshake;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (!(message instanceof Channel child)
          || !(child.remoteAddress() instanceof InetSocketAddress peer)) {
        context.fireChannelRead(message);
        return;
      }
      if (!gate.enter(peer.getAddress())) {
        LOG.atDebug().addKeyValue("address", peer.getAddress()).log("too many connections");
        child.unsafe().closeForcibly();
        return;
      }
      child.closeFuture().addListener(closed -> gate.leave(peer.getAddress()));
      child.pipeline().addLast(new HandshakeWatch(peer.getAddress(), onFailedHandshake));
      context.fireChannelRead(message);
    }
  }

  /** Learns how the handshake of one connection ends, and goes. */
  private static final class HandshakeWatch extends ChannelInboundHandlerAdapter {
    private final InetAddress peer;
    private final BiConsumer<InetAddress, String> onFailure;

    HandshakeWatch(InetAddress peer, BiConsumer<InetAddress, String> onFailure) {
      this.peer = peer;
      this.onFailure = onFailure;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      // gRPC puts TLS into the pipeline when it learns of this.
      context.fireChannelActive();
      SslHandler tls = context.pipeline().get(SslHandler.class);
      if (tls != null) {
        tls.handshakeFuture().addListener(done -> ended(done.cause()));
      }
      context.pipeline().remove(this);
    }

    /** A peer that only goes away was not refused. */
    private void ended(@Nullable Throwable cause) {
      if (cause instanceof SSLException) {
        onFailure.accept(peer, String.valueOf(cause.getMessage()));
      }
    }
  }
}
