package io.gatehouse.agent.device.ovsdb;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.IdleStateHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Makes channels to one address. Never blocks: the address has no name to resolve. */
final class OvsdbConnector {
  private final OvsdbConfig config;
  private final Optional<SslContext> tls;

  OvsdbConnector(OvsdbConfig config, Optional<SslContext> tls) {
    if (config.address() instanceof OvsdbAddress.Tls && tls.isEmpty()) {
      throw new InvalidValueException("address", config.address(), "needs TLS certificates");
    }
    this.config = config;
    this.tls = tls;
  }

  /** Starts to connect. The session is told when it is ready, or that it ended. */
  void connect(EventLoop loop, JsonRpcSession session) {
    int millis = (int) Math.min(Integer.MAX_VALUE, config.times().connect().toMillis());
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loop)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, millis)
            .option(ChannelOption.WRITE_BUFFER_WATER_MARK, waterMark())
            .handler(pipeline(session));
    ChannelFuture connected = connect(bootstrap, config.address());
    var unused =
        connected.addListener(
            (ChannelFutureListener)
                future -> {
                  if (!future.isSuccess()) {
                    String text = config.address() + ": no connection: " + future.cause();
                    session.drop(new DeviceException(Kind.UNREACHABLE, text, future.cause()));
                  }
                });
  }

  private WriteBufferWaterMark waterMark() {
    int high = config.bounds().unsentBytes();
    return new WriteBufferWaterMark(high / 2, high);
  }

  private static ChannelFuture connect(Bootstrap bootstrap, OvsdbAddress address) {
    if (address instanceof OvsdbAddress.Unix unix) {
      return bootstrap
          .channel(EpollDomainSocketChannel.class)
          .connect(new DomainSocketAddress(unix.path()));
    }
    Bootstrap tcp =
        bootstrap.channel(EpollSocketChannel.class).option(ChannelOption.TCP_NODELAY, true);
    if (address instanceof OvsdbAddress.Tls tls) {
      return tcp.connect(socketAddress(tls.host(), tls.port()));
    }
    OvsdbAddress.Tcp clear = (OvsdbAddress.Tcp) address;
    return tcp.connect(socketAddress(clear.host(), clear.port()));
  }

  private static SocketAddress socketAddress(IpAddress host, int port) {
    try {
      return new InetSocketAddress(InetAddress.getByAddress(host.toBytes()), port);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("4 or 16 bytes are always an address", e);
    }
  }

  private ChannelInitializer<Channel> pipeline(JsonRpcSession session) {
    long probe = config.times().probe().toNanos();
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        channel.pipeline().addLast(new IdleStateHandler(probe, 0, 0, TimeUnit.NANOSECONDS));
        if (config.address() instanceof OvsdbAddress.Tls address) {
          channel.pipeline().addLast(handshake(channel, address));
        }
        channel.pipeline().addLast(new JsonTextDecoder(config.bounds()), session);
      }
    };
  }

  private SslHandler handshake(Channel channel, OvsdbAddress.Tls address) {
    SslHandler handler =
        tls.orElseThrow().newHandler(channel.alloc(), address.host().toString(), address.port());
    handler.setHandshakeTimeoutMillis(config.times().connect().toMillis());
    return handler;
  }
}
