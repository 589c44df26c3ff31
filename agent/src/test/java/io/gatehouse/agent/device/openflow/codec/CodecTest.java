package io.gatehouse.agent.device.openflow.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.device.openflow.FlowSamples;
import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Action.ConnTrack;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.flow.Octets;
import io.gatehouse.model.net.InvalidValueException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class CodecTest {
  private static final Match IP = Match.builder().ethType(0x0800).build();

  private static Flow flow(int table, int priority, Match match, Action... actions) {
    return new Flow(table, priority, 0, match, List.of(actions));
  }

  private static void assertBundled(String captured, int xid, Flow flow) {
    ByteBuf out = Unpooled.buffer();
    Requests.bundled(out, xid, 0, new FlowMod.Add(flow));
    assertThat(Captured.hex(out)).isEqualTo(captured);
  }

  @Test
  void changesAreTheBytesOfOvsOfctl() {
    assertBundled(
        Captured.BUNDLED_MOVE,
        6,
        flow(
            0,
            1,
            Match.builder().inPort(1).build(),
            Actions.move(Field.ETH_SRC, Field.ETH_DST),
            Actions.outputReg(Field.reg(5), 0, 16)));
    assertBundled(
        Captured.BUNDLED_SET,
        7,
        flow(
            1,
            1,
            Match.ANY,
            Actions.setReg(0, 5001),
            Actions.setReg(1, 1, 0xff),
            Actions.resubmit(10),
            Actions.inPort()));
    assertBundled(
        Captured.BUNDLED_CT,
        8,
        flow(
            2,
            1,
            IP,
            new ConnTrack(
                ConnTrack.Mode.COMMIT, Actions.zoneInReg(3), 31, List.of(Actions.setCtMark(1)))));
    assertBundled(
        Captured.BUNDLED_CHECK,
        10,
        flow(4, 1, Match.ANY, Actions.checkPktLarger(1500, Field.reg(0), 3), Actions.resubmit(5)));
    assertBundled(
        Captured.BUNDLED_CONTROLLER,
        11,
        flow(6, 1, Match.ANY, Actions.controller(5, (byte) 1, (byte) 2, (byte) 3)));
    assertBundled(Captured.BUNDLED_CONJUNCTION, 13, flow(7, 2, IP, Actions.conjunction(5, 1, 2)));
  }

  @Test
  void aFlushOfAZoneIsTheBytesOfOvsOfctl() {
    ByteBuf out = Unpooled.buffer();
    Requests.flushZone(out, 2, 7);

    assertThat(Captured.hex(out)).isEqualTo(Captured.FLUSH_ZONE);
  }

  @Test
  void helloIsTheBytesOfOvsOfctl() throws UnreadableException {
    ByteBuf out = Unpooled.buffer();
    Requests.hello(out, 1);

    assertThat(Captured.hex(out)).isEqualTo(Captured.HELLO);
    assertThat(Replies.helloAgrees(6, Captured.body(Captured.HELLO))).isTrue();
    assertThat(Replies.helloAgrees(6, Captured.bytes("0001000800000012"))).isFalse();
    assertThat(Replies.helloAgrees(6, Unpooled.EMPTY_BUFFER)).isTrue();
    assertThat(Replies.helloAgrees(4, Unpooled.EMPTY_BUFFER)).isFalse();
  }

  private static FlowDump flows(String captured) throws UnreadableException {
    List<FlowEntry> entries = new ArrayList<>();
    List<FlowDump.Unreadable> unreadable = new ArrayList<>();
    ByteBuf body = Captured.body(captured);
    assertThat(Replies.multipart(body).type()).isEqualTo(Wire.MULTIPART_FLOW_DESC);
    Replies.flows(body, entries, unreadable);
    return new FlowDump(entries, unreadable);
  }

  @Test
  void readsFlowsOfOpenVSwitch() throws UnreadableException {
    assertThat(flows(Captured.FLOW_DESC).flows())
        .containsExactly(
            flow(
                0,
                1,
                Match.builder().inPort(1).build(),
                Actions.move(Field.ETH_SRC, Field.ETH_DST),
                Actions.outputReg(Field.reg(5), 0, 16)));
    Match registers =
        Match.builder()
            .reg(2, 5)
            .field(Field.xreg(2), Bits.of(7))
            .field(Field.xxreg(3), Bits.of(9))
            .build();
    assertThat(flows(Captured.FLOW_DESC_REGISTERS).flows())
        .containsExactly(flow(12, 1, registers, new Action.Controller(0xffff, 1, 0, Octets.EMPTY)));
  }

  @Test
  void readsPortsErrorsAndBundleSteps() throws UnreadableException {
    ByteBuf ports = Captured.body(Captured.PORT_DESC);
    assertThat(Replies.multipart(ports).more()).isFalse();
    PortDescription port = Replies.ports(ports).get(0);
    assertThat(port.number()).isEqualTo(Actions.LOCAL);
    assertThat(port.name()).isEqualTo("gh-int");
    assertThat(port.mac()).hasToString("7a:d5:3f:47:31:46");
    assertThat(port.isAdminDown()).isTrue();
    assertThat(OpenFlowError.read(Captured.body(Captured.BAD_PREREQ)))
        .hasToString("OFPBMC_BAD_PREREQ");
    assertThat(Replies.bundleReply(Captured.body(Captured.BUNDLE_COMMITTED)))
        .isEqualTo(Requests.BundleStep.COMMIT.reply());
  }

  @Test
  void monitorReportsAreRead() throws UnreadableException {
    String flow =
        "00280001010000000000000100000000000000000000000500" + "01000c800000040000000100000000";
    FlowChanges changes = Replies.changes(Captured.bytes(flow + "0008000400000009"));

    assertThat(changes.gap()).isFalse();
    assertThat(changes.changes())
        .containsExactly(
            new FlowChange(
                FlowChange.Kind.ADDED,
                new Flow(1, 1, 5, Match.builder().inPort(1).build(), List.of()),
                FlowEntry.Expiry.NEVER));
    assertThat(Replies.changes(Captured.bytes("0008000500000000")).gap()).isTrue();
    assertThat(Replies.changes(Captured.bytes("0008000600000000")).gap()).isTrue();
    assertThatThrownBy(() -> Replies.changes(Captured.bytes("0008000700000000")))
        .isInstanceOf(UnreadableException.class);
  }

  @Test
  void anyMatchAndAnyActionsSurvive() throws UnreadableException {
    for (long seed = 0; seed < 3_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Match match = FlowSamples.randomMatch(random);
      List<Action> actions = FlowSamples.randomActions(random);
      ByteBuf out = Unpooled.buffer();
      OxmCodec.writeMatch(out, match);
      ActionCodec.writeInstructions(out, actions);

      assertThat(OxmCodec.readMatch(out)).as("seed %d", seed).isEqualTo(match);
      assertThat(ActionCodec.readInstructions(out)).as("seed %d", seed).isEqualTo(actions);
    }
  }

  private interface Reading {
    void read(ByteBuf body) throws UnreadableException;
  }

  private static final List<Reading> READINGS =
      List.of(
          body -> Replies.helloAgrees(6, body),
          Replies::features,
          Replies::multipart,
          Replies::bundleReply,
          body -> Replies.flows(body, new ArrayList<>(), new ArrayList<>()),
          Replies::aggregate,
          Replies::changes,
          Replies::ports,
          Replies::portStatus,
          OpenFlowError::read,
          OxmCodec::readMatch,
          ActionCodec::readInstructions);

  /** Whatever the bytes: a value or the codec's own exception. */
  private static void assertBounded(Reading reading, byte[] bytes, Object about) {
    try {
      reading.read(Unpooled.wrappedBuffer(bytes));
    } catch (UnreadableException | InvalidValueException e) {
      assertThat(e.getMessage()).as("%s", about).isNotEmpty();
    } catch (RuntimeException e) {
      throw new AssertionError(about + ": " + HexFormat.of().formatHex(bytes), e);
    }
  }

  private static List<byte[]> bodies() {
    List<byte[]> bodies = new ArrayList<>();
    for (String captured :
        List.of(
            Captured.FLOW_DESC.substring(32),
            Captured.FLOW_DESC_REGISTERS.substring(32),
            Captured.PORT_DESC.substring(32),
            Captured.BUNDLED_CT.substring(128),
            Captured.BUNDLED_CONTROLLER.substring(128),
            Captured.HELLO.substring(16))) {
      bodies.add(HexFormat.of().parseHex(captured));
    }
    ByteBuf all = Unpooled.buffer();
    ActionCodec.writeInstructions(all, FlowSamples.plainActions());
    ActionCodec.writeInstructions(all, FlowSamples.ipActions());
    byte[] bytes = new byte[all.readableBytes()];
    all.readBytes(bytes);
    bodies.add(bytes);
    return bodies;
  }

  @Test
  void everyTruncationIsAnErrorOrAValue() {
    for (byte[] body : bodies()) {
      for (int length = 0; length < body.length; length++) {
        for (Reading reading : READINGS) {
          assertBounded(reading, Arrays.copyOf(body, length), length);
        }
      }
    }
  }

  @Test
  void damagedAndRandomBytesAreAnErrorOrAValue() {
    List<byte[]> bodies = bodies();
    for (long seed = 0; seed < 5_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes = bodies.get(random.nextInt(bodies.size())).clone();
      if (random.nextInt(4) == 0) {
        random.nextBytes(bytes);
      }
      for (int i = random.nextInt(6); i >= 0; i--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      for (Reading reading : READINGS) {
        assertBounded(reading, bytes, "seed " + seed);
      }
    }
  }

  @Test
  void nestingIsBounded() {
    ByteBuf out = Unpooled.buffer();
    int levels = 2_000;
    for (int i = 0; i < levels; i++) {
      out.writeShort(0xffff).writeShort(24 * (levels - i)).writeInt(0x2320).writeShort(35);
      out.writeZero(14);
    }
    ByteBuf instruction = Unpooled.buffer();
    instruction.writeShort(4).writeShort(8 + out.readableBytes()).writeInt(0).writeBytes(out);

    assertThatThrownBy(() -> ActionCodec.readInstructions(instruction))
        .isInstanceOf(UnreadableException.class)
        .hasMessageContaining("actions in actions");
  }

  @Test
  void aChangeLongerThanAMessageIsNotSent() {
    List<Action> notes = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      notes.add(Actions.note(new byte[1000]));
    }
    FlowMod mod = new FlowMod.Add(new Flow(0, 0, 0, Match.ANY, notes));

    assertThatThrownBy(() -> Requests.bundled(Unpooled.buffer(), 1, 1, mod))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
