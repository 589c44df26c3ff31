package io.gatehouse.agent.device.openflow;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.openflow.codec.FlowChanges;
import io.gatehouse.agent.device.openflow.codec.OpenFlowError;
import io.gatehouse.agent.device.openflow.codec.PacketCodec;
import io.gatehouse.agent.device.openflow.codec.Replies;
import io.gatehouse.agent.device.openflow.codec.Requests;
import io.gatehouse.agent.device.openflow.codec.UnreadableException;
import io.gatehouse.agent.device.openflow.codec.Wire;
import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Octets;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection from hello to its end. Everything happens on the channel's event loop. It is over
 * when the channel is closed; what waits then fails.
 */
final class OpenFlowSession extends SimpleChannelInboundHandler<ByteBuf> {

  /** Hears of the connection's life. */
  interface Life {
    void ready(OpenFlowSession session, long datapathId);

    void over(OpenFlowSession session, DeviceException cause);
  }

  private enum State {
    HELLO,
    FEATURES,
    WATCH,
    READY
  }

  private final Channel channel;
  private final OpenFlowConfig config;
  private final OpenFlowListener listener;
  private final Life life;
  private final PendingCalls calls;
  private final Deque<Bundle> bundles = new ArrayDeque<>();

  private State state = State.HELLO;
  private int nextXid = 1;
  private int nextBundle = 1;
  private int watchXid;
  private long datapathId;
  private boolean probed;
  private @Nullable Future<?> setupDeadline;
  private @Nullable DeviceException cause;

  OpenFlowSession(Channel channel, OpenFlowConfig config, OpenFlowListener listener, Life life) {
    this.channel = channel;
    this.config = config;
    this.listener = listener;
    this.life = life;
    this.calls = new PendingCalls(channel.eventLoop(), config.limits().calls());
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    Duration wait = config.times().call();
    setupDeadline =
        context
            .executor()
            .schedule(
                () -> end(unreachable("not ready in " + wait.toMillis() + " ms")),
                wait.toNanos(),
                TimeUnit.NANOSECONDS);
    send(out -> Requests.hello(out, takeXids(1)));
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (setupDeadline != null) {
      setupDeadline.cancel(false);
    }
    DeviceException why = cause != null ? cause : unreachable("the bridge closed the connection");
    calls.failAll(why);
    while (!bundles.isEmpty()) {
      bundles.remove().failed(why);
    }
    life.over(this, why);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    Bundle bundle = bundles.peek();
    if (bundle != null && context.channel().isWritable()) {
      bundle.write(channel);
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (!(event instanceof IdleStateEvent)) {
      return;
    }
    if (probed) {
      long silence = 2 * config.times().probe().toMillis();
      end(unreachable("the bridge was silent for " + silence + " ms"));
      return;
    }
    probed = true;
    send(out -> Requests.bare(out, Wire.ECHO_REQUEST, takeXids(1)));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable thrown) {
    Throwable root = thrown.getCause() instanceof UnreadableException u ? u : thrown;
    boolean broken = !(root instanceof IOException);
    end(
        new DeviceException(
            broken ? DeviceException.Kind.PROTOCOL : DeviceException.Kind.UNREACHABLE,
            String.valueOf(root.getMessage()),
            root));
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, ByteBuf frame)
      throws UnreadableException {
    probed = false;
    int version = frame.readUnsignedByte();
    int type = frame.readUnsignedByte();
    int xid = frame.skipBytes(2).readInt();
    if (type == Wire.HELLO) {
      hello(version, frame);
      return;
    }
    if (type == Wire.ERROR && state == State.HELLO) {
      throw new UnreadableException(
          "the bridge says "
              + OpenFlowError.read(frame).name()
              + " to OpenFlow 1.5: it is not among the bridge's protocols");
    }
    if (version != Wire.VERSION) {
      throw new UnreadableException("a message of OpenFlow version " + version);
    }
    message(type, xid, frame);
  }

  private void message(int type, int xid, ByteBuf body) throws UnreadableException {
    switch (type) {
      case Wire.ECHO_REQUEST -> send(out -> Requests.echoReply(out, xid, body));
      case Wire.ECHO_REPLY -> {}
      case Wire.FEATURES_REPLY -> features(body);
      case Wire.PORT_STATUS -> {
        Replies.PortStatus status = Replies.portStatus(body);
        if (state == State.READY) {
          listener.portChanged(status.reason(), status.port());
        }
      }
      case Wire.EXPERIMENTER -> {
        if (state == State.READY) {
          PacketCodec.readPacketIn(body).ifPresent(listener::packetArrived);
        }
      }
      default -> answer(type, xid, body);
    }
  }

  private void answer(int type, int xid, ByteBuf body) throws UnreadableException {
    Bundle bundle = bundles.peek();
    if (bundle != null && bundle.owns(xid)) {
      bundle.accept(channel, xid, type, body);
      nextBundle(bundle);
      return;
    }
    if (xid == watchXid && state == State.WATCH) {
      watching(type, body);
      return;
    }
    if (!calls.accept(xid, type, body) && type == Wire.MULTIPART_REPLY) {
      unasked(body);
    }
  }

  /** Reports of a flow monitor carry xid 0; late answers to expired calls are dropped. */
  private void unasked(ByteBuf body) throws UnreadableException {
    if (Replies.multipart(body).type() != Wire.MULTIPART_FLOW_MONITOR || state != State.READY) {
      return;
    }
    FlowChanges changes = Replies.changes(body);
    if (!changes.changes().isEmpty()) {
      listener.flowsChanged(changes.changes());
    }
    if (changes.gap()) {
      listener.flowsUnknown();
    }
  }

  private void hello(int version, ByteBuf body) throws UnreadableException {
    if (state != State.HELLO) {
      throw new UnreadableException("a second hello");
    }
    if (!Replies.helloAgrees(version, body)) {
      throw new UnreadableException("OpenFlow 1.5 is not among the bridge's protocols");
    }
    state = State.FEATURES;
    send(out -> Requests.bare(out, Wire.FEATURES_REQUEST, takeXids(1)));
  }

  private void features(ByteBuf body) throws UnreadableException {
    if (state != State.FEATURES) {
      throw new UnreadableException("features that nobody asked for");
    }
    datapathId = Replies.features(body);
    state = State.WATCH;
    watchXid = takeXids(1);
    send(
        out -> {
          switch (config.watch()) {
            case FLOWS_AND_PORTS -> {
              PacketCodec.watchPorts(out, takeXids(1));
              Requests.watchFlows(out, watchXid);
              return;
            }
            case PORTS -> PacketCodec.watchPorts(out, takeXids(1));
            case PACKETS -> PacketCodec.watchPackets(out, watchXid);
          }
          Requests.bare(out, Wire.BARRIER_REQUEST, watchXid);
        });
  }

  private void watching(int type, ByteBuf body) throws UnreadableException {
    if (type == Wire.ERROR) {
      throw new UnreadableException(
          "the bridge says " + OpenFlowError.read(body).name() + " to watching its flows");
    }
    state = State.READY;
    if (setupDeadline != null) {
      setupDeadline.cancel(false);
    }
    life.ready(this, datapathId);
  }

  /** Writes a message; the event loop's own. */
  interface Message {
    void write(ByteBuf out);
  }

  private void send(Message message) {
    ByteBuf out = channel.alloc().ioBuffer(256);
    message.write(out);
    Writes.flush(channel, out);
  }

  /** A request that is answered under its xid. */
  interface Request {
    void write(ByteBuf out, int xid);
  }

  void call(Request request, Reply reply) {
    int xid = takeXids(1);
    if (calls.add(xid, reply, config.times().call())) {
      send(out -> request.write(out, xid));
    }
  }

  /** Hands the switch a packet; while the switch is slow to take it, the packet is lost. */
  void packetOut(List<Action> doing, Octets packet) {
    if (channel.isWritable()) {
      send(out -> PacketCodec.packetOut(out, takeXids(1), doing, packet));
    }
  }

  /** Runs a bundle, after those that came before it. */
  void apply(Bundle bundle) {
    if (bundles.size() >= config.limits().bundles()) {
      bundle.failed(unreachable(bundles.size() + " bundles wait for the bridge"));
      return;
    }
    Duration wait = config.times().bundle();
    bundle.deadline(
        channel
            .eventLoop()
            .schedule(() -> expire(bundle, wait), wait.toNanos(), TimeUnit.NANOSECONDS));
    bundles.add(bundle);
    if (bundles.size() == 1) {
      bundle.start(channel, nextBundle++, takeXids(bundle.xids()));
    }
  }

  private void nextBundle(Bundle finished) {
    if (!finished.isDone()) {
      return;
    }
    bundles.remove();
    Bundle next = bundles.peek();
    if (next != null) {
      next.start(channel, nextBundle++, takeXids(next.xids()));
    }
  }

  /** What a late bundle did is unknown: only a new connection and a new dump tell. */
  private void expire(Bundle bundle, Duration wait) {
    if (!bundle.isDone()) {
      end(unreachable("a bundle was not done in " + wait.toMillis() + " ms"));
    }
  }

  /** A run of xids that no message has yet; never 0, which is for what nobody asked. */
  private int takeXids(int count) {
    if (Integer.MAX_VALUE - nextXid < count) {
      nextXid = 1;
    }
    int first = nextXid;
    nextXid += count;
    return first;
  }

  void end(DeviceException why) {
    if (cause == null) {
      cause = why;
    }
    Writes.close(channel);
  }

  static DeviceException unreachable(String what) {
    return new DeviceException(DeviceException.Kind.UNREACHABLE, what);
  }
}
