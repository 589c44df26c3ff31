package io.gatehouse.agent.device.netlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.agent.device.netlink.Link.AdminState;
import io.gatehouse.agent.device.netlink.NetlinkCodec.Answer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NetlinkCodecTest {
  private static final long SEED = 20_261_101;

  @Test
  void readsWhatItWrites() throws Exception {
    NetlinkRequest request = RtnetlinkRequests.setAdmin(7, AdminState.UP);
    List<NetlinkMessage> messages =
        NetlinkCodec.messages(NetlinkCodec.encode(List.of(request), 42));
    assertThat(messages).hasSize(1);
    NetlinkMessage message = messages.get(0);
    assertThat(message.type()).isEqualTo(Rtnetlink.SET_LINK);
    assertThat(message.flags()).isEqualTo(NetlinkRequest.FLAG_REQUEST | NetlinkRequest.FLAG_ACK);
    assertThat(message.sequence()).isEqualTo(42);
    assertThat(message.payload()).isEqualTo(request.body());
  }

  @Test
  void readsTheEndOfADump() throws Exception {
    List<NetlinkMessage> messages = Captured.messages("links");
    NetlinkMessage last = messages.get(messages.size() - 1);
    assertThat(last.type()).isEqualTo(NetlinkMessage.DONE);
    assertThat(NetlinkCodec.answer(last)).isEqualTo(new Answer(0, null));
  }

  @Test
  void readsAnswers() throws Exception {
    assertThat(answer("ack")).isEqualTo(new Answer(0, null));
    Answer refused = new Answer(22, "mtu greater than device maximum");
    assertThat(answer("error-mtu")).isEqualTo(refused);
    assertThat(answer("error-mtu-uncapped")).isEqualTo(refused);
  }

  @Test
  void namesErrors() {
    assertThat(Errno.name(19)).isEqualTo("ENODEV");
    assertThat(Errno.name(1)).isEqualTo("EPERM");
    assertThat(Errno.name(4095)).isEqualTo("errno 4095");
  }

  @Test
  void refusesAPositiveErrorNumber() {
    ByteBuffer payload = NetlinkSocket.direct(4).putInt(0, 7);
    NetlinkMessage message = new NetlinkMessage(NetlinkMessage.ERROR, 0, 1, payload);
    assertThatThrownBy(() -> NetlinkCodec.answer(message))
        .isInstanceOfSatisfying(
            DeviceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.PROTOCOL));
  }

  @Test
  void refusesEveryTruncation() throws Exception {
    for (String name : Captured.ALL) {
      byte[] datagram = Captured.datagrams(name).get(0);
      int whole = readAll(datagram);
      assertThat(whole).as(name).isPositive();
      for (int length = 0; length < datagram.length; length++) {
        // A cut between two messages leaves fewer of them; every other one is an error.
        assertThat(readAll(Arrays.copyOf(datagram, length))).as(name).isLessThan(whole);
      }
    }
  }

  @Test
  void survivesChangedBytes() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    for (String name : Captured.ALL) {
      byte[] datagram = Captured.datagrams(name).get(0);
      for (int i = 0; i < 800; i++) {
        byte[] changed = datagram.clone();
        for (int j = random.nextInt(1, 6); j > 0; j--) {
          changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
        }
        readAll(changed);
      }
    }
  }

  @Test
  void survivesRandomBytes() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[random.nextInt(200)];
      random.nextBytes(bytes);
      if (bytes.length > 6) {
        bytes[0] = (byte) bytes.length;
        bytes[1] = bytes[2] = bytes[3] = bytes[5] = 0;
        bytes[4] = (byte) random.nextInt(2, 28);
      }
      readAll(bytes);
    }
  }

  /** How many messages were read; 0 for an error of the protocol. Nothing else may be thrown. */
  private static int readAll(byte[] datagram) {
    try {
      List<NetlinkMessage> messages = NetlinkCodec.messages(ByteBuffer.wrap(datagram));
      for (NetlinkMessage message : messages) {
        NetlinkSession.read(RtnetlinkReader::links, message);
        NetlinkSession.read(RtnetlinkReader::addresses, message);
        NetlinkSession.read(RtnetlinkReader::routes, message);
        if (message.type() == NetlinkMessage.ERROR || message.type() == NetlinkMessage.DONE) {
          NetlinkCodec.answer(message);
        }
      }
      return messages.size();
    } catch (DeviceException e) {
      assertThat(e.kind()).isEqualTo(Kind.PROTOCOL);
      return 0;
    } catch (RuntimeException e) {
      return fail("seed " + SEED + ": " + HexFormat.of().formatHex(datagram), e);
    }
  }

  private static Answer answer(String name) throws Exception {
    return NetlinkCodec.answer(Captured.messages(name).get(0));
  }
}
