package io.gatehouse.agent.path.tunnel;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.flow.Octets;
import io.gatehouse.agent.state.ProbeIdentity;
import io.gatehouse.agent.state.PuntKind;
import io.gatehouse.agent.state.path.TunnelTestKind;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Frames of full size. */
class TunnelTestFrameTest {
  private static final int ETHERNET = 14;
  private static final long NONCE = 0x0123_4567_89ab_cdefL;

  private static TunnelTestFrame frame(TunnelTestKind kind) {
    return new TunnelTestFrame(kind, 1_450, NONCE);
  }

  @Test
  void noHostsPacketHasItsCode() {
    assertThat(PuntKind.of(new byte[] {ProbeIdentity.PUNT_CODE})).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void itIsAsLargeAsItSaysAndReadAgain(TunnelTestKind kind) {
    for (int size : new int[] {TunnelTestFrame.MIN_BYTES, 1_450, 1_451, 8_950, 65_535}) {
      TunnelTestFrame frame = new TunnelTestFrame(kind, size, -2);
      assertThat(frame.bytes().size()).isEqualTo(ETHERNET + size);
      assertThat(TunnelTestFrame.read(frame.bytes())).contains(frame);
    }
  }

  @ParameterizedTest
  @EnumSource
  void itsChecksumsAreRight(TunnelTestKind kind) {
    byte[] bytes = frame(kind).bytes().toBytes();
    int ip = kind.isV4() ? 20 : 40;
    if (kind.isV4()) {
      assertThat(sum(bytes, ETHERNET, ETHERNET + ip, 0)).isEqualTo(0xffff);
    }
    // RFC 768, 793, 8200 §8.1: addresses, protocol and length count.
    long pseudo = (long) kind.protocol() + bytes.length - ETHERNET - ip;
    int addresses = ETHERNET + (kind.isV4() ? 12 : 8);
    assertThat(sum(bytes, addresses, bytes.length, pseudo)).isEqualTo(0xffff);
  }

  private static int sum(byte[] bytes, int from, int to, long start) {
    long sum = start;
    for (int i = from; i < to; i += 2) {
      sum += (bytes[i] & 0xff) << 8 | (i + 1 < to ? bytes[i + 1] & 0xff : 0);
    }
    while (sum > 0xffff) {
      sum = (sum >> 16) + (sum & 0xffff);
    }
    return (int) sum;
  }

  @Test
  void aChangedByteIsFoundWhereverItIs() {
    for (TunnelTestKind kind : TunnelTestKind.values()) {
      byte[] sent = frame(kind).bytes().toBytes();
      for (int at = 0; at < sent.length; at++) {
        byte[] changed = sent.clone();
        changed[at] ^= 1;
        Octets arrived = Octets.of(changed);
        assertThat(TunnelTestFrame.read(arrived).filter(said -> said.bytes().equals(arrived)))
            .as("%s, byte %d", kind, at)
            .isEmpty();
      }
    }
  }

  @Test
  void whatIsCutIsNeverWhole() {
    byte[] sent = frame(TunnelTestKind.TCP_IPV6).bytes().toBytes();
    for (int length = 0; length < sent.length; length++) {
      Octets cut = Octets.of(Arrays.copyOf(sent, length));
      assertThat(TunnelTestFrame.read(cut).filter(said -> said.bytes().equals(cut)))
          .as("%d bytes", length)
          .isEmpty();
    }
  }

  @Test
  void noiseIsReadWithoutHarm() {
    SplittableRandom random = new SplittableRandom(9);
    for (int i = 0; i < 20_000; i++) {
      byte[] noise = new byte[random.nextInt(300)];
      random.nextBytes(noise);
      assertThat(TunnelTestFrame.read(Octets.of(noise))).isEmpty();
    }
  }
}
