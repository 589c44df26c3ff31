package io.gatehouse.agent.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Bytes of probes and answers. */
class ProbeMessageTest {
  private static final ProbeMessage PROBE =
      new ProbeMessage(ProbeMessage.Kind.PROBE, 9_286, 0x0123_4567_89ab_cdefL);

  @Test
  void theBytesAreThoseOfTheDocument() {
    ByteBuf out = Unpooled.buffer();
    PROBE.write(out, 20);
    assertThat(ByteBufUtil.hexDump(out))
        .isEqualTo("4748504d" + "01" + "01" + "2446" + "0123456789abcdef" + "00000000");
  }

  @Test
  void whatIsWrittenIsRead() {
    for (ProbeMessage.Kind kind : ProbeMessage.Kind.values()) {
      ProbeMessage message = new ProbeMessage(kind, 65_535, -1);
      ByteBuf out = Unpooled.buffer();
      message.write(out, ProbeMessage.BYTES);
      assertThat(out.readableBytes()).isEqualTo(ProbeMessage.BYTES);
      assertThat(ProbeMessage.read(out)).contains(message);
    }
  }

  @Test
  void whatIsCutOrChangedIsNoneOfOurs() {
    ByteBuf whole = Unpooled.buffer();
    PROBE.write(whole, ProbeMessage.BYTES);
    for (int length = 0; length < ProbeMessage.BYTES; length++) {
      assertThat(ProbeMessage.read(whole.slice(0, length))).as("%d bytes", length).isEmpty();
    }
    for (int at = 0; at < 6; at++) {
      ByteBuf changed = whole.copy();
      changed.setByte(at, changed.getByte(at) ^ 0x40);
      assertThat(ProbeMessage.read(changed)).as("byte %d", at).isEmpty();
    }
  }

  @Test
  void noiseIsReadWithoutHarm() {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 10_000; i++) {
      byte[] noise = new byte[random.nextInt(64)];
      random.nextBytes(noise);
      assertThat(ProbeMessage.read(Unpooled.wrappedBuffer(noise))).isEmpty();
    }
  }
}
