package io.gatehouse.agent.device.openflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.openflow.codec.FlowDump;
import io.gatehouse.agent.device.openflow.codec.FlowFilter;
import io.gatehouse.agent.device.openflow.codec.FlowMod;
import io.gatehouse.agent.device.openflow.codec.Requests;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.Match;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.timeout.IdleStateEvent;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Without a switch: the bytes of the peer are written by hand. */
final class OpenFlowSessionTest {
  private static final OpenFlowConfig.Limits LIMITS = new OpenFlowConfig.Limits(2, 2, 100, 3);

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final RecordingListener listener = new RecordingListener();
  private final List<Long> ready = new ArrayList<>();
  private @Nullable DeviceException over;
  private OpenFlowSession session;

  private final class Life implements OpenFlowSession.Life {
    @Override
    public void ready(OpenFlowSession fresh, long datapathId) {
      ready.add(datapathId);
    }

    @Override
    public void over(OpenFlowSession old, DeviceException cause) {
      over = cause;
    }
  }

  @BeforeEach
  void shakeHands() {
    channel.freezeTime();
    OpenFlowConfig config =
        new OpenFlowConfig(
            channel.localAddress(),
            OpenFlowConfig.Times.DEFAULT,
            LIMITS,
            OpenFlowConfig.Watch.FLOWS_AND_PORTS);
    session = new OpenFlowSession(channel, config, listener, new Life());
    channel.pipeline().addLast(session);
    channel.pipeline().fireChannelActive();
    assertThat(sent()).hasSize(1);
    hear("0600000800000001");
    assertThat(sent().get(0)).startsWith("0605");
    hear("0606002000000002" + "00000000000000ab" + "00".repeat(16));
    List<String> watch = sent();
    assertThat(watch.get(0)).startsWith("061c");
    assertThat(watch.get(1)).startsWith("0612").contains("0010");
    hear("06130010" + watch.get(1).substring(8, 16) + "0010000000000000");
    assertThat(ready).containsExactly(0xabL);
  }

  private void hear(String hex) {
    channel.writeInbound(Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex)));
  }

  /** The messages sent since the last call. */
  private List<String> sent() {
    List<String> messages = new ArrayList<>();
    for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      while (out.isReadable()) {
        byte[] message = new byte[out.getUnsignedShort(out.readerIndex() + 2)];
        out.readBytes(message);
        messages.add(HexFormat.of().formatHex(message));
      }
      out.release();
    }
    return messages;
  }

  private static String xid(String message) {
    return message.substring(8, 16);
  }

  private CompletableFuture<FlowDump> dump() {
    CompletableFuture<FlowDump> future = new CompletableFuture<>();
    session.call(
        (out, xid) -> Requests.dumpFlows(out, xid, FlowFilter.ALL), Replying.flows(future, 3));
    return future;
  }

  private static void assertFailed(
      CompletableFuture<?> future, DeviceException.Kind kind, String text) {
    assertThat(future).isCompletedExceptionally();
    assertThatThrownBy(future::join)
        .cause()
        .isInstanceOfSatisfying(DeviceException.class, e -> assertThat(e.kind()).isEqualTo(kind))
        .hasMessageContaining(text);
  }

  @Test
  void aCallWithoutAnswerFailsAndItsLateAnswerIsDropped() {
    CompletableFuture<FlowDump> future = dump();
    String request = sent().get(0);

    channel.advanceTimeBy(10, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();

    assertFailed(future, DeviceException.Kind.UNREACHABLE, "no answer in 10000 ms");
    hear("06130010" + xid(request) + "0001000000000000");
    assertThat(over).isNull();
  }

  @Test
  void anErrorFailsItsOwnCallOnly() {
    CompletableFuture<FlowDump> first = dump();
    CompletableFuture<FlowDump> second = dump();
    List<String> requests = sent();

    hear("0601000c" + xid(requests.get(0)) + "00010002");
    hear("06130010" + xid(requests.get(1)) + "0001000000000000");

    assertFailed(first, DeviceException.Kind.REJECTED, "OFPBRC_BAD_MULTIPART");
    assertThat(second.join().entries()).isEmpty();
  }

  @Test
  void callsAndAnswersAreBounded() {
    CompletableFuture<FlowDump> first = dump();
    var unused = dump();
    CompletableFuture<FlowDump> third = dump();
    assertFailed(third, DeviceException.Kind.UNREACHABLE, "2 calls wait");

    String flow =
        "00280000000000010000000000000000"
            + "0000000000000000"
            + "0001000400000000"
            + "0000000400000000";
    hear("061300b0" + xid(sent().get(0)) + "0001000100000000" + flow.repeat(4));

    assertThat(over).isNotNull();
    assertFailed(first, DeviceException.Kind.PROTOCOL, "more than 3 flows");
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void aSilentPeerIsProbedThenLeft() {
    channel.pipeline().fireUserEventTriggered(IdleStateEvent.FIRST_READER_IDLE_STATE_EVENT);
    assertThat(sent().get(0)).startsWith("0602");
    hear("0603000800000009");
    channel.pipeline().fireUserEventTriggered(IdleStateEvent.READER_IDLE_STATE_EVENT);
    assertThat(sent().get(0)).startsWith("0602");
    assertThat(over).isNull();

    channel.pipeline().fireUserEventTriggered(IdleStateEvent.READER_IDLE_STATE_EVENT);

    assertThat(over).hasMessageContaining("silent");
  }

  @Test
  void aProbeIsAnsweredWithItsOwnBytes() {
    hear("0602000a00000077abcd");

    assertThat(sent()).containsExactly("0603000a00000077abcd");
  }

  @Test
  void aPausedMonitorMeansUnknown() throws InterruptedException {
    hear("06130018000000000010000000000000" + "0008000500000000");
    listener.await("unknown");
    hear("06130018000000000010000000000000" + "0008000600000000");
    listener.await("unknown");
  }

  @Test
  void nonsenseEndsTheConnection() {
    hear("0413000800000001");

    assertThat(over).hasMessageContaining("version 4");
    assertThat(over).extracting(DeviceException::kind).isEqualTo(DeviceException.Kind.PROTOCOL);
  }

  private CompletableFuture<Void> bundle(int priority) {
    CompletableFuture<Void> future = new CompletableFuture<>();
    FlowMod mod = new FlowMod.Add(new Flow(1, priority, 0, Match.ANY, List.of()));
    session.apply(new Bundle(List.of(mod), future));
    return future;
  }

  @Test
  void aBundleCommitsOnlyAfterItsBarrierSaidNothing() {
    CompletableFuture<Void> future = bundle(1);
    List<String> written = sent();
    assertThat(written).hasSize(3);
    assertThat(written.get(0)).startsWith("0621").endsWith("00000003");
    assertThat(written.get(1)).startsWith("0622");
    assertThat(written.get(2)).startsWith("0614");

    hear("06210010" + xid(written.get(0)) + "0000000100010000");
    hear("06150008" + xid(written.get(2)));
    List<String> commit = sent();
    assertThat(commit.get(0)).startsWith("0621").endsWith("00040003");
    assertThat(future).isNotDone();
    hear("06210010" + xid(commit.get(0)) + "0000000100050000");
    hear("06150008" + xid(commit.get(1)));

    assertThat(future).isCompleted();
  }

  @Test
  void aRefusedBundleIsDiscardedAndTheNextOneRuns() {
    CompletableFuture<Void> refused = bundle(77);
    CompletableFuture<Void> next = bundle(2);
    assertFailed(bundle(3), DeviceException.Kind.UNREACHABLE, "2 bundles wait");
    List<String> written = sent();

    hear("0601000c" + xid(written.get(1)) + "00040009");
    hear("06150008" + xid(written.get(2)));
    List<String> discard = sent();
    assertThat(discard.get(0)).startsWith("0621").endsWith("00060003");
    hear("06150008" + xid(discard.get(1)));

    assertFailed(
        refused, DeviceException.Kind.REJECTED, "OFPBMC_BAD_PREREQ to add table=1,priority=77");
    assertThat(sent()).hasSize(3);
    assertThat(next).isNotDone();
  }

  @Test
  void aLateBundleEndsTheConnection() {
    CompletableFuture<Void> future = bundle(1);

    channel.advanceTimeBy(60, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();

    assertFailed(future, DeviceException.Kind.UNREACHABLE, "not done in 60000 ms");
    assertThat(channel.isOpen()).isFalse();
  }
}
