package io.gatehouse.agent.device.openflow;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.openflow.codec.FlowDump;
import io.gatehouse.agent.device.openflow.codec.FlowFilter;
import io.gatehouse.agent.device.openflow.codec.FlowMod;
import io.gatehouse.agent.device.openflow.codec.MeterCodec;
import io.gatehouse.agent.device.openflow.codec.PortDescription;
import io.gatehouse.agent.device.openflow.codec.Replies;
import io.gatehouse.agent.device.openflow.codec.Requests;
import io.gatehouse.agent.device.openflow.codec.Wire;
import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Octets;
import io.gatehouse.agent.flow.RateMeter;
import io.gatehouse.model.net.InvalidValueException;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.timeout.IdleStateHandler;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Speaks OpenFlow 1.5 to one bridge of Open vSwitch, and keeps the connection up.
 *
 * <p>Methods may be called on any thread; futures complete on the client's event loop thread, so
 * whoever waits for one must not be on it. A future fails with a {@link DeviceException}:
 * UNREACHABLE without connection or answer, REJECTED with the error's name, PROTOCOL when the
 * connection had to be dropped. Nothing is tried again but the connection.
 */
public final class OpenFlowClient implements AutoCloseable {
  private static final WriteBufferWaterMark WATER_MARK =
      new WriteBufferWaterMark(512 * 1024, 1024 * 1024);

  private final OpenFlowConfig config;
  private final EventLoop loop;
  private final Scheduler scheduler;
  private final OpenFlowListener listener;
  private final RandomGenerator random;

  /** The four below change on the event loop only. */
  private boolean closed;

  private int failures;

  private @Nullable Channel channel;
  private @Nullable OpenFlowSession session;

  /**
   * @param group an epoll event loop group, which stays the caller's
   * @param scheduler runs the attempts to connect again
   * @param random of the pauses between attempts, called on the event loop
   */
  public OpenFlowClient(
      OpenFlowConfig config,
      EventLoopGroup group,
      Scheduler scheduler,
      RandomGenerator random,
      OpenFlowListener listener) {
    this.config = config;
    this.loop = group.next();
    this.scheduler = scheduler;
    this.listener = listener;
    this.random = random;
  }

  /** Starts to connect, and returns; the listener hears of the outcome. */
  public void start() {
    loop.execute(this::connect);
  }

  /** Ends the connection for good; what waits fails. */
  @Override
  public void close() {
    loop.execute(
        () -> {
          closed = true;
          if (channel != null) {
            Writes.close(channel);
          }
        });
  }

  /** Reads the flows that a filter selects, with their counters. */
  public CompletableFuture<FlowDump> dumpFlows(FlowFilter filter) {
    CompletableFuture<FlowDump> future = new CompletableFuture<>();
    call(
        (out, xid) -> Requests.dumpFlows(out, xid, filter),
        Replying.flows(future, config.limits().replyFlows()));
    return future;
  }

  /** Counts the flows that a filter selects, and adds up their counters. */
  public CompletableFuture<Replies.Aggregate> aggregate(FlowFilter filter) {
    CompletableFuture<Replies.Aggregate> future = new CompletableFuture<>();
    call((out, xid) -> Requests.aggregate(out, xid, filter), Replying.aggregate(future));
    return future;
  }

  /** Reads all ports. */
  public CompletableFuture<List<PortDescription>> dumpPorts() {
    CompletableFuture<List<PortDescription>> future = new CompletableFuture<>();
    call(Requests::dumpPorts, Replying.ports(future));
    return future;
  }

  /** Reads all meters. */
  public CompletableFuture<List<MeterCodec.Found>> dumpMeters() {
    CompletableFuture<List<MeterCodec.Found>> future = new CompletableFuture<>();
    call(MeterCodec::dump, Replying.meters(future));
    return future;
  }

  /** Reads what all meters have counted. */
  public CompletableFuture<List<MeterCodec.Counters>> meterCounters() {
    CompletableFuture<List<MeterCodec.Counters>> future = new CompletableFuture<>();
    call(MeterCodec::counters, Replying.counters(future));
    return future;
  }

  /** Reads what the bridge's meters can do. */
  public CompletableFuture<MeterCodec.Features> meterFeatures() {
    CompletableFuture<MeterCodec.Features> future = new CompletableFuture<>();
    call(MeterCodec::features, Replying.meterFeatures(future));
    return future;
  }

  /** Adds a meter or gives it other values; REJECTED if the bridge does not take it. */
  public CompletableFuture<Void> writeMeter(MeterCodec.Command command, RateMeter meter) {
    return confirmed((out, xid) -> MeterCodec.change(out, xid, command, meter));
  }

  /** Removes a meter, and with it the flows that use it; none is there, all is well. */
  public CompletableFuture<Void> deleteMeter(int id) {
    return confirmed((out, xid) -> MeterCodec.delete(out, xid, id));
  }

  /** A request without an answer of its own: a barrier under its xid answers if no error does. */
  private CompletableFuture<Void> confirmed(OpenFlowSession.Request request) {
    CompletableFuture<Boolean> future = new CompletableFuture<>();
    call(
        (out, xid) -> {
          request.write(out, xid);
          Requests.bare(out, Wire.BARRIER_REQUEST, xid);
        },
        Replying.barrier(future));
    return future.thenAccept(done -> {});
  }

  /** Completes when the bridge is done with all that was sent before. */
  public CompletableFuture<Void> barrier() {
    CompletableFuture<Boolean> future = new CompletableFuture<>();
    call((out, xid) -> Requests.bare(out, Wire.BARRIER_REQUEST, xid), Replying.barrier(future));
    return future.thenAccept(done -> {});
  }

  /** Completes when the switch has forgotten all connections of these zones. */
  public CompletableFuture<Void> flushZones(Collection<Integer> zones) {
    List<Integer> copy = List.copyOf(zones);
    CompletableFuture<Boolean> future = new CompletableFuture<>();
    call(
        (out, xid) -> {
          copy.forEach(zone -> Requests.flushZone(out, xid, zone));
          Requests.bare(out, Wire.BARRIER_REQUEST, xid);
        },
        Replying.barrier(future));
    return future.thenAccept(done -> {});
  }

  /**
   * Makes all changes in their order, or none. REJECTED names the change that was refused. After
   * UNREACHABLE the outcome is unknown until the flows have been read.
   */
  public CompletableFuture<Void> applyBundle(List<FlowMod> mods) {
    List<FlowMod> copy = List.copyOf(mods);
    if (copy.size() > config.limits().bundleMods()) {
      throw new InvalidValueException(
          "bundle.size", copy.size(), "is more than " + config.limits().bundleMods());
    }
    CompletableFuture<Void> future = new CompletableFuture<>();
    Bundle bundle = new Bundle(copy, future);
    loop.execute(
        () -> {
          if (session == null) {
            bundle.failed(OpenFlowSession.unreachable("no connection to the bridge"));
            return;
          }
          session.apply(bundle);
        });
    return future;
  }

  /**
   * Sends a packet out at a port, past all flows. There is no answer, as with every packet: it may
   * be lost.
   */
  public void packetOut(int port, Octets packet) {
    packetOut(List.of(Actions.output(port)), packet);
  }

  /** As above, with what the switch is to do with the packet. */
  public void packetOut(List<Action> doing, Octets packet) {
    loop.execute(
        () -> {
          if (session != null) {
            session.packetOut(doing, packet);
          }
        });
  }

  private void call(OpenFlowSession.Request request, Reply reply) {
    loop.execute(
        () -> {
          if (session == null) {
            reply.failed(OpenFlowSession.unreachable("no connection to the bridge"));
            return;
          }
          session.call(request, reply);
        });
  }

  private void connect() {
    if (closed) {
      return;
    }
    boolean unix = config.address() instanceof DomainSocketAddress;
    ChannelFuture connecting =
        new Bootstrap()
            .group(loop)
            .channel(unix ? EpollDomainSocketChannel.class : EpollSocketChannel.class)
            .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) config.times().call().toMillis())
            .handler(new Initializer())
            .connect(config.address());
    channel = connecting.channel();
    connecting.addListener(
        done -> {
          if (!done.isSuccess()) {
            reconnect();
          }
        });
  }

  private void reconnect() {
    if (!closed) {
      Duration pause = config.times().retries().delay(failures++, random);
      scheduler.after(pause, () -> loop.execute(this::connect));
    }
  }

  /** Puts a session behind the framing of each new connection. */
  private final class Initializer extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel fresh) {
      Duration probe = config.times().probe();
      fresh
          .pipeline()
          .addLast(new IdleStateHandler(probe.toNanos(), 0, 0, TimeUnit.NANOSECONDS))
          .addLast(new LengthFieldBasedFrameDecoder(Wire.MAX_MESSAGE_BYTES, 2, 2, -4, 0))
          .addLast(new OpenFlowSession(fresh, config, listener, new SessionLife()));
    }
  }

  private final class SessionLife implements OpenFlowSession.Life {
    @Override
    public void ready(OpenFlowSession fresh, long datapathId) {
      session = fresh;
      failures = 0;
      listener.connected(datapathId);
    }

    @Override
    public void over(OpenFlowSession old, DeviceException cause) {
      if (session == old) {
        session = null;
        listener.disconnected(cause);
      }
      reconnect();
    }
  }
}
