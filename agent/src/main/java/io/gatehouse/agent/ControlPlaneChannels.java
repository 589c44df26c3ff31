package io.gatehouse.agent;

import io.gatehouse.agent.identity.IdentityStore;
import io.gatehouse.runtime.config.HostPort;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollSocketChannel;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Connections to the control plane, to one replica after the other; each shows the newest
 * certificate. Thread-safe.
 */
final class ControlPlaneChannels {
  private static final int MAX_MESSAGE_BYTES = 4 << 20;
  private static final long KEEPALIVE_SECONDS = 10;
  private static final long KEEPALIVE_TIMEOUT_SECONDS = 5;

  private final AgentConfig.Upstream upstream;
  private final IdentityStore identity;
  private final EventLoopGroup loops;
  private int next;

  /**
   * Connects nothing yet.
   *
   * @param first chooses the replica to begin with, by any number
   */
  ControlPlaneChannels(
      AgentConfig.Upstream upstream, IdentityStore identity, EventLoopGroup loops, int first) {
    this.upstream = upstream;
    this.identity = identity;
    this.loops = loops;
    this.next = Math.floorMod(first, upstream.targets().size());
  }

  /**
   * A new channel; the caller shuts it down. Half-open connections are noticed by keepalive: a
   * silent peer never means an old policy for ever.
   *
   * @throws IOException if there is no usable identity
   */
  ManagedChannel connect() throws IOException {
    HostPort target = nextTarget();
    return NettyChannelBuilder.forAddress(target.host(), target.port())
        .overrideAuthority(upstream.serverName())
        .sslContext(identity.tls().clientContext())
        .eventLoopGroup(loops)
        .channelType(EpollSocketChannel.class)
        .maxInboundMessageSize(MAX_MESSAGE_BYTES)
        .keepAliveTime(KEEPALIVE_SECONDS, TimeUnit.SECONDS)
        .keepAliveTimeout(KEEPALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .disableRetry()
        .build();
  }

  private synchronized HostPort nextTarget() {
    HostPort target = upstream.targets().get(next);
    next = (next + 1) % upstream.targets().size();
    return target;
  }
}
