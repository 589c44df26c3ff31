package io.gatehouse.agent.device.openflow.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Octets;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class PacketCodecTest {
  private static final String ARP =
      "ffffffffffff020000000001080600010800060400010200000000010a0000010000000000000a000002";

  /** What ovs-vswitchd 3.1.0 says of that packet: LOCAL, reg0=0x64, userdata=01.02. */
  private static final String PACKET_IN2 =
      "000023200000001e0000002e"
          + ARP
          + "0000000300050000000000040010000000000000000000000000000500050100000000060020800000"
          + "04fffffffe800101100000006400000000ffffffff000000000007000601020000";

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  private static ByteBuf body(byte[] bytes) {
    return Unpooled.wrappedBuffer(bytes);
  }

  @Test
  void aPacketIsReadAsTheSwitchSendsIt() throws UnreadableException {
    assertThat(PacketCodec.readPacketIn(body(bytes(PACKET_IN2))))
        .contains(
            new PacketIn(
                Map.of(
                    Field.IN_PORT, Bits.of(Actions.LOCAL & 0xffff_ffffL),
                    Field.XREG0, Bits.of(0x64L << 32)),
                Octets.of((byte) 1, (byte) 2),
                Octets.of(bytes(ARP))));
  }

  @Test
  void registersAreReadOutOfTheirPairs() {
    PacketIn packet =
        new PacketIn(
            Map.of(Field.XREG2, Bits.of(0x0000_0007_0001_05aaL)), Octets.EMPTY, Octets.EMPTY);

    assertThat(packet.register(4)).isEqualTo(7);
    assertThat(packet.register(5)).isEqualTo(0x105aa);
    assertThat(packet.register(6)).isZero();
    assertThat(packet.inPort()).isZero();
  }

  @Test
  void anotherExperimentersMessageIsNoPacket() throws UnreadableException {
    assertThat(PacketCodec.readPacketIn(body(bytes("4f4e46000000001e00")))).isEmpty();
    assertThat(PacketCodec.readPacketIn(body(bytes("000023200000001f00")))).isEmpty();
  }

  @Test
  void aPacketInWithoutAPacketIsUnreadable() {
    assertThatThrownBy(
            () -> PacketCodec.readPacketIn(body(bytes("000023200000001e0003000500000000"))))
        .isInstanceOf(UnreadableException.class)
        .hasMessageContaining("without a packet");
  }

  @Test
  void everyTruncationIsReadOrRefused() {
    byte[] whole = bytes(PACKET_IN2);
    int refused = 0;
    for (int length = 0; length < whole.length; length++) {
      refused += isRefused(Arrays.copyOf(whole, length)) ? 1 : 0;
    }
    assertThat(refused).isBetween(whole.length / 2, whole.length);
  }

  @Test
  void randomBytesAreReadOrRefused() {
    SplittableRandom random = new SplittableRandom(7);
    byte[] whole = bytes(PACKET_IN2);
    int refused = 0;
    for (int round = 0; round < 20_000; round++) {
      byte[] spoilt = whole.clone();
      for (int i = 0; i < 1 + random.nextInt(4); i++) {
        spoilt[8 + random.nextInt(spoilt.length - 8)] = (byte) random.nextInt();
      }
      refused += isRefused(spoilt) ? 1 : 0;
    }
    assertThat(refused).isPositive();
  }

  /** Anything but a value or a refusal fails the test. */
  private static boolean isRefused(byte[] bytes) {
    try {
      Optional<PacketIn> unused = PacketCodec.readPacketIn(body(bytes));
      return false;
    } catch (UnreadableException e) {
      return true;
    }
  }

  @Test
  void aPacketOutNamesItsPort() {
    ByteBuf out = Unpooled.buffer();
    PacketCodec.packetOut(out, 9, List.of(Actions.output(3)), Octets.of(bytes(ARP)));

    assertThat(Captured.hex(out))
        .isEqualTo(
            "060d005a00000009"
                + "ffffffff00100000"
                + "0001000c80000004fffffffd00000000"
                + "000000100000000300000000"
                + "00000000"
                + ARP);
  }
}
