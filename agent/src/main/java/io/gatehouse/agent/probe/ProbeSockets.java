package io.gatehouse.agent.probe;

import io.gatehouse.model.net.IpAddress;
import io.gatehouse.runtime.CallBudget;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.unix.Errors.NativeIoException;
import io.netty.channel.unix.IntegerUnixChannelOption;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The sockets of the prober, one for each way that a packet may take: a fabric chooses among equal
 * paths by the ports (RFC 2992), and may treat RoCE's class of traffic differently. What leaves
 * them is never fragmented, and what the kernel has heard of the path holds no probe back.
 */
public final class ProbeSockets implements AutoCloseable {
  /** Ways: three source ports with the default class, one with that of RoCE. */
  public static final int FLOWS = 4;

  private static final int ROCE_DSCP = 26;
  private static final int DSCP_SHIFT = 2;

  /** Linux: {@code IP_MTU_DISCOVER} and its relatives, see ip(7) and ipv6(7). */
  private static final IntegerUnixChannelOption V4_DISCOVER =
      new IntegerUnixChannelOption("IP_MTU_DISCOVER", 0, 10);

  private static final IntegerUnixChannelOption V6_DISCOVER =
      new IntegerUnixChannelOption("IPV6_MTU_DISCOVER", 41, 23);
  private static final int PROBE = 3;
  private static final int MESSAGE_TOO_LONG = 90;

  private static final int V4_HEADERS = 28;
  private static final int V6_HEADERS = 48;

  /** Largest UDP datagram. */
  private static final int MAX_DATAGRAM_BYTES = 65_535;

  /** Room for the searches of several partners at once; the kernel caps it (net.core.rmem_max). */
  private static final int RECEIVE_BUFFER_BYTES = 4 << 20;

  /** Answers to one partner: more than its whole budget of probes. */
  private static final int ANSWERS_PER_SECOND = 1_000;

  /** Answers to probes, and what has come of packets through the tunnels. */
  private static final int HEARD_PER_SECOND = 2_000;

  private static final int MAX_PARTNERS = 16_384;

  /** What comes of probes; called on the event loop. */
  public interface Listener {
    /** A partner has answered. */
    void answered(InetAddress from, long nonce);

    /** A partner says what has come of a packet through the tunnel. */
    void tunnelTested(InetAddress from, long nonce, boolean intact);

    /** A probe was not let out: it is larger than the interface carries. */
    void tooLarge(long nonce);

    /** A probe could not be sent for another reason. */
    void failed(Throwable reason);
  }

  private final List<Channel> channels = new ArrayList<>();
  private final int headers;
  private final int port;
  private final Listener listener;
  private final CallBudget answers;
  private final CallBudget heard;
  private volatile Set<InetAddress> partners = Set.of();

  private ProbeSockets(int headers, int port, Listener listener, LongSupplier nanoTime) {
    this.headers = headers;
    this.port = port;
    this.listener = listener;
    this.answers = new CallBudget(ANSWERS_PER_SECOND, ANSWERS_PER_SECOND, MAX_PARTNERS, nanoTime);
    this.heard = new CallBudget(HEARD_PER_SECOND, HEARD_PER_SECOND, MAX_PARTNERS, nanoTime);
  }

  /**
   * Opens all sockets.
   *
   * @param address of the VTEP: probes take the way of the tunnels
   * @param port where probes arrive
   * @throws IOException if the address is not there (yet), or the port is taken
   */
  public static ProbeSockets open(
      IpAddress address, int port, EventLoopGroup loops, Listener listener, LongSupplier nanoTime)
      throws IOException {
    boolean v4 = address.isV4();
    ProbeSockets sockets = new ProbeSockets(v4 ? V4_HEADERS : V6_HEADERS, port, listener, nanoTime);
    InetAddress own = InetAddress.getByAddress(address.toBytes());
    for (int flow = 0; flow < FLOWS; flow++) {
      var bound =
          sockets
              .bootstrap(loops, v4, flow)
              .bind(new InetSocketAddress(own, flow == 0 ? port : 0))
              .awaitUninterruptibly();
      if (!bound.isSuccess()) {
        sockets.close();
        throw new IOException(address + " port " + port + ": " + bound.cause().getMessage());
      }
      sockets.channels.add(bound.channel());
    }
    return sockets;
  }

  private Bootstrap bootstrap(EventLoopGroup loops, boolean v4, int flow) {
    SocketProtocolFamily family = v4 ? SocketProtocolFamily.INET : SocketProtocolFamily.INET6;
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loops)
            .channelFactory(() -> new EpollDatagramChannel(family))
            .option(v4 ? V4_DISCOVER : V6_DISCOVER, PROBE)
            .option(
                ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(MAX_DATAGRAM_BYTES))
            .option(ChannelOption.SO_RCVBUF, RECEIVE_BUFFER_BYTES)
            .handler(new Handler());
    return flow == FLOWS - 1
        ? bootstrap.option(ChannelOption.IP_TOS, ROCE_DSCP << DSCP_SHIFT)
        : bootstrap;
  }

  /** Only these are answered. */
  void answerOnly(Set<InetAddress> those) {
    partners = Set.copyOf(those);
  }

  /**
   * Sends a probe.
   *
   * @param sizeBytes of the whole IP packet
   */
  void send(int flow, InetAddress to, int sizeBytes, long nonce) {
    Channel channel = channels.get(flow);
    ProbeMessage probe = new ProbeMessage(ProbeMessage.Kind.PROBE, sizeBytes, nonce);
    int length = Math.max(sizeBytes - headers, ProbeMessage.BYTES);
    ByteBuf payload = channel.alloc().buffer(length);
    probe.write(payload, length);
    var unused =
        channel
            .writeAndFlush(new DatagramPacket(payload, new InetSocketAddress(to, port)))
            .addListener(
                sent -> {
                  if (!sent.isSuccess()) {
                    notSent(sent.cause(), nonce);
                  }
                });
  }

  /** Says what has come out of the tunnel from a partner. */
  void tell(InetAddress to, ProbeMessage message) {
    Channel channel = channels.get(0);
    ByteBuf payload = channel.alloc().buffer(ProbeMessage.BYTES);
    message.write(payload, ProbeMessage.BYTES);
    var unused =
        channel.writeAndFlush(new DatagramPacket(payload, new InetSocketAddress(to, port)));
  }

  private void notSent(Throwable reason, long nonce) {
    if (reason instanceof NativeIoException e && e.expectedErr() == -MESSAGE_TOO_LONG) {
      listener.tooLarge(nonce);
      return;
    }
    listener.failed(reason);
  }

  @Override
  public void close() {
    for (Channel channel : channels) {
      var unused = channel.close();
    }
  }

  private final class Handler extends SimpleChannelInboundHandler<DatagramPacket> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, DatagramPacket packet) {
      InetAddress from = packet.sender().getAddress();
      if (!partners.contains(from)) {
        return;
      }
      int arrived = packet.content().readableBytes() + headers;
      ProbeMessage.read(packet.content())
          .ifPresent(message -> read(context, packet.sender(), message, arrived));
    }

    private void read(
        ChannelHandlerContext context, InetSocketAddress from, ProbeMessage message, int arrived) {
      InetAddress partner = from.getAddress();
      switch (message.kind()) {
        case PROBE -> answer(context, from, message, arrived);
        case ANSWER -> hear(partner, () -> listener.answered(partner, message.nonce()));
        case TUNNEL_INTACT ->
            hear(partner, () -> listener.tunnelTested(partner, message.nonce(), true));
        case TUNNEL_DAMAGED ->
            hear(partner, () -> listener.tunnelTested(partner, message.nonce(), false));
      }
    }

    /** No more than is sent: who fakes a partner's address must not fill a queue. */
    private void hear(InetAddress partner, Runnable said) {
      if (heard.take(partner.getHostAddress()).isEmpty()) {
        said.run();
      }
    }

    private void answer(
        ChannelHandlerContext context, InetSocketAddress from, ProbeMessage message, int arrived) {
      // Only what has arrived whole is proof.
      boolean whole = arrived == message.sizeBytes();
      if (whole && answers.take(from.getAddress().getHostAddress()).isEmpty()) {
        ByteBuf payload = context.alloc().buffer(ProbeMessage.BYTES);
        new ProbeMessage(ProbeMessage.Kind.ANSWER, message.sizeBytes(), message.nonce())
            .write(payload, ProbeMessage.BYTES);
        var unused = context.writeAndFlush(new DatagramPacket(payload, from));
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      // An ICMP error of the fabric, say: the probe that it is about counts as lost.
      listener.failed(cause);
    }
  }
}
