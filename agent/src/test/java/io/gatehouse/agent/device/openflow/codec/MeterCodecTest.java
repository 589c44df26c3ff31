package io.gatehouse.agent.device.openflow.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.device.openflow.codec.MeterCodec.Command;
import io.gatehouse.agent.device.openflow.codec.MeterCodec.Counters;
import io.gatehouse.agent.device.openflow.codec.MeterCodec.Features;
import io.gatehouse.agent.device.openflow.codec.MeterCodec.Found;
import io.gatehouse.agent.flow.RateMeter;
import io.gatehouse.agent.flow.RateMeter.Unit;
import io.gatehouse.model.net.InvalidValueException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class MeterCodecTest {
  private static final int ROUNDS = 20_000;
  private static final RateMeter MODIFIED = new RateMeter(1_000, Unit.PACKETS, 7, 3);

  private static String written(Consumer<ByteBuf> writing) {
    ByteBuf out = Unpooled.buffer();
    writing.accept(out);
    return Captured.hex(out);
  }

  /** Reads what follows the multipart header. */
  private interface Reader {
    void read(ByteBuf body) throws UnreadableException;
  }

  private static ByteBuf body(String captured) throws UnreadableException {
    ByteBuf body = Captured.body(captured);
    Replies.multipart(body);
    return body;
  }

  @Test
  void requestsAreTheBytesOfOvsOfctl() {
    RateMeter added = new RateMeter(1_000, Unit.KILOBITS, 20_000, 2_000);
    assertThat(written(out -> MeterCodec.change(out, 2, Command.ADD, added)))
        .isEqualTo(Captured.METER_ADD);
    assertThat(written(out -> MeterCodec.change(out, 2, Command.MODIFY, MODIFIED)))
        .isEqualTo(Captured.METER_MODIFY);
    assertThat(written(out -> MeterCodec.delete(out, 2, 1_000))).isEqualTo(Captured.METER_DELETE);
    assertThat(written(out -> MeterCodec.dump(out, 2))).isEqualTo(Captured.METER_DUMP);
    assertThat(written(out -> MeterCodec.counters(out, 2))).isEqualTo(Captured.METER_STATS_REQUEST);
    assertThat(written(out -> MeterCodec.features(out, 2)))
        .isEqualTo(Captured.METER_FEATURES_REQUEST);
  }

  @Test
  void answersOfOpenVSwitchAreRead() throws UnreadableException {
    List<Found> meters = new ArrayList<>();
    MeterCodec.readDump(body(Captured.METER_DESC), meters);
    assertThat(meters)
        .containsExactly(
            new Found(1_000, Optional.of(MODIFIED)),
            new Found(17, Optional.of(new RateMeter(17, Unit.PACKETS, 5, 5))));
    List<Counters> counters = new ArrayList<>();
    MeterCodec.readCounters(body(Captured.METER_STATS), counters);
    assertThat(counters).containsExactly(new Counters(1_000, 0, 0), new Counters(17, 100, 95));
    assertThat(MeterCodec.readFeatures(body(Captured.METER_FEATURES)))
        .isEqualTo(new Features(262_144, true));
  }

  @Test
  void aMeterThatWeWouldNotMakeIsFoundAndNotUnderstood() throws UnreadableException {
    List<String> strange =
        List.of(
            "00180002000003e800010010000000070000000000000000", // no burst
            "00180007000003e800010010000000070000000300000000", // both units
            "00180006000003e800020010000000070000000300000000", // another kind of band
            "00180006fffffffe00010010000000070000000300000000", // the controller's
            "00180006000003e800010010000000000000000300000000", // no rate
            "00080006000003e8"); // no band
    for (String meter : strange) {
      List<Found> found = new ArrayList<>();
      MeterCodec.readDump(Captured.bytes(meter), found);
      assertThat(found).as(meter).hasSize(1);
      assertThat(found.get(0).meter()).as(meter).isEmpty();
    }
  }

  @Test
  void everyTruncationAndRandomBytesAreAnErrorOrAnAnswer() throws UnreadableException {
    List<Reader> readers =
        List.of(
            body -> MeterCodec.readDump(body, new ArrayList<>()),
            body -> MeterCodec.readCounters(body, new ArrayList<>()),
            MeterCodec::readFeatures);
    List<ByteBuf> whole =
        List.of(
            body(Captured.METER_DESC), body(Captured.METER_STATS), body(Captured.METER_FEATURES));
    int[] element = {24, 56, 16};
    for (int i = 0; i < readers.size(); i++) {
      Reader reader = readers.get(i);
      ByteBuf bytes = whole.get(i);
      for (int length = 1; length < bytes.readableBytes(); length++) {
        ByteBuf cut = bytes.slice(bytes.readerIndex(), length);
        if (length % element[i] != 0) {
          assertThatThrownBy(() -> reader.read(cut)).isInstanceOf(UnreadableException.class);
        }
      }
      random(reader);
    }
  }

  private static void random(Reader reader) {
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = new byte[random.nextInt(80)];
      random.nextBytes(bytes);
      if (bytes.length > 6 && random.nextBoolean()) {
        bytes[random.nextBoolean() ? 0 : 4] = 0;
        bytes[random.nextBoolean() ? 1 : 5] = (byte) random.nextInt(64);
      }
      try {
        reader.read(Unpooled.wrappedBuffer(bytes));
      } catch (UnreadableException e) {
        assertThat(e.getMessage()).as("round %d", round).isNotBlank();
      }
    }
  }

  @Test
  void metersThatCannotBeDoNotExist() {
    assertThatThrownBy(() -> new RateMeter(0, Unit.PACKETS, 1, 1))
        .isInstanceOf(InvalidValueException.class);
    assertThatThrownBy(() -> new RateMeter(0xffff_0001, Unit.PACKETS, 1, 1))
        .isInstanceOf(InvalidValueException.class);
    assertThatThrownBy(() -> new RateMeter(1, Unit.PACKETS, 0, 1))
        .isInstanceOf(InvalidValueException.class);
    assertThat(new RateMeter(0xffff_0000, Unit.KILOBITS, 0xffff_ffffL, 1))
        .hasToString("meter=4294901760,kbps,burst,band=type=drop,rate=4294967295,burst_size=1");
  }
}
