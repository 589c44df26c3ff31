package io.gatehouse.agent.dhcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.flow.Octets;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.security.AddressPair;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MtuAnswersTest {
  private static final int MTU = 1_450;
  private static final HostTerms TERMS = Hosts.plain("10.0.0.1", "fd00::1");
  private static final IpAddress V4_PEER = IpAddress.parse("10.0.0.2");
  private static final IpAddress V6_PEER = IpAddress.parse("fd00::2");
  private static final MacAddress PEER = MacAddress.parse("02:00:00:00:00:02");

  private static Verdict answer(Octets frame) {
    return MtuAnswers.answer(frame, TERMS, MTU);
  }

  private static Verdict.Reason reason(Octets frame) {
    if (answer(frame) instanceof Verdict.Dropped dropped) {
      return dropped.reason();
    }
    throw new AssertionError("answered");
  }

  /** A UDP datagram whose packet has so many bytes in all. */
  static Octets udp(IpAddress from, IpAddress to, int packetBytes) {
    int headers = (from.isV4() ? 20 : 40) + 8;
    byte[] load = new byte[packetBytes - headers];
    Arrays.fill(load, (byte) 0x5a);
    return DatagramCodec.write(
        Datagram.udp(
            new Datagram.Link(Hosts.MAC, PEER),
            from,
            to,
            new Datagram.Content(4_000, 4_001, Octets.of(load))));
  }

  private static Octets icmp(IpAddress from, IpAddress to, int type) {
    byte[] load = new byte[1_500];
    load[0] = (byte) type;
    return DatagramCodec.write(
        new Datagram(
            new Datagram.Link(Hosts.MAC, PEER),
            from,
            to,
            from.isV4() ? Datagram.ICMP : Datagram.ICMPV6,
            64,
            new Datagram.Content(0, 0, Octets.of(load))));
  }

  private static byte[] changed(Octets frame, int at, int value) {
    byte[] bytes = frame.toBytes();
    bytes[at] = (byte) value;
    return bytes;
  }

  private static byte[] only(Verdict.Kind kind, Verdict verdict) {
    if (verdict instanceof Verdict.Answered answered && answered.kind() == kind) {
      assertThat(answered.frames()).hasSize(1);
      return answered.frames().get(0).toBytes();
    }
    throw new AssertionError(verdict + " is no " + kind);
  }

  @Test
  void f03Ipv4IsToldTheMtuInTheNameOfTheReceiver() {
    Octets packet = udp(Hosts.V4, V4_PEER, MTU + 1);

    byte[] frame = only(Verdict.Kind.FRAGMENTATION_NEEDED, answer(packet));

    String hex = HexFormat.of().formatHex(frame);
    assertThat(hex)
        .as("from the DPU's MAC address to the host's")
        .startsWith("020000000001" + "026768000001" + "0800")
        .as("from the receiver to the sender")
        .contains("0a000002" + "0a000001")
        .as("type 3, code 4, checksum, the MTU behind two bytes of zeros")
        .containsPattern("^.{68}0304....000005aa");
    assertThat(frame).as("all that 576 bytes have room for").hasSize(14 + 576);
    assertThat(Arrays.copyOfRange(frame, 14 + 28, frame.length))
        .isEqualTo(Arrays.copyOfRange(packet.toBytes(), 14, 14 + 548));
  }

  @Test
  void f03Ipv6IsToldTheMtuInTheNameOfTheReceiver() {
    Octets packet = udp(Hosts.V6, V6_PEER, MTU + 1);

    byte[] frame = only(Verdict.Kind.PACKET_TOO_BIG, answer(packet));

    assertThat(frame).as("all that 1280 bytes have room for").hasSize(14 + 1_280);
    assertThat(HexFormat.of().formatHex(frame)).containsPattern("^.{108}0200....000005aa");
    assertThat(Arrays.copyOfRange(frame, 14 + 8, 14 + 24)).isEqualTo(V6_PEER.toBytes());
    assertThat(Arrays.copyOfRange(frame, 14 + 48, frame.length))
        .isEqualTo(Arrays.copyOfRange(packet.toBytes(), 14, 14 + 1_232));
  }

  @Test
  void aLinkLocalSenderIsAnswered() {
    Octets packet = udp(Hosts.MAC.linkLocal(), PEER.linkLocal(), MTU + 1);
    assertThat(only(Verdict.Kind.PACKET_TOO_BIG, answer(packet))).isNotEmpty();
  }

  @Test
  void dontFragmentMakesNoDifference() {
    byte[] with = changed(udp(Hosts.V4, V4_PEER, 2_000), 14 + 6, 0x40);
    assertThat(only(Verdict.Kind.FRAGMENTATION_NEEDED, answer(Octets.of(with)))).hasSize(590);
  }

  @Test
  void theSenderOfAnAddressPairIsAnsweredAtItsOwnMac() {
    AddressPair pair =
        new AddressPair(
            Cidr.parse("10.9.0.0/16"), Optional.of(MacAddress.parse("00:00:5e:00:01:01")));
    LocalPortPolicy port =
        Policies.paired(
            Policies.localPort("acme/blue/web", "pf0vf0", Hosts.MAC.toString(), "10.0.0.1"), pair);
    HostTerms terms = new HostTerms(port, TERMS.network(), List.of(), Map.of());
    Octets packet = udp(IpAddress.parse("10.9.1.1"), V4_PEER, 2_000);

    byte[] frame = only(Verdict.Kind.FRAGMENTATION_NEEDED, MtuAnswers.answer(packet, terms, MTU));

    assertThat(HexFormat.of().formatHex(frame)).startsWith("00005e000101" + "026768000001");
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5, 11, 12})
  void ipv4ErrorsAreNotAnswered(int type) {
    assertThat(reason(icmp(Hosts.V4, V4_PEER, type))).isEqualTo(Verdict.Reason.ICMP_ERROR);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 100, 127})
  void ipv6ErrorsAreNotAnswered(int type) {
    assertThat(reason(icmp(Hosts.V6, V6_PEER, type))).isEqualTo(Verdict.Reason.ICMP_ERROR);
  }

  @Test
  void echoesAreAnswered() {
    assertThat(only(Verdict.Kind.FRAGMENTATION_NEEDED, answer(icmp(Hosts.V4, V4_PEER, 8))))
        .isNotEmpty();
    assertThat(only(Verdict.Kind.PACKET_TOO_BIG, answer(icmp(Hosts.V6, V6_PEER, 128))))
        .isNotEmpty();
  }

  @Test
  void anErrorBehindExtensionHeadersIsOne() {
    byte[] bytes = icmp(Hosts.V6, V6_PEER, 1).toBytes();
    byte[] longer = new byte[bytes.length + 16];
    System.arraycopy(bytes, 0, longer, 0, 54);
    System.arraycopy(bytes, 54, longer, 70, bytes.length - 54);
    longer[14 + 6] = 60;
    longer[54] = 58;
    longer[55] = 1;

    assertThat(reason(Octets.of(longer))).isEqualTo(Verdict.Reason.ICMP_ERROR);
  }

  @Test
  void whatIsForManyIsNotAnswered() {
    assertThat(reason(udp(Hosts.V4, IpAddress.parse("224.0.0.5"), 2_000)))
        .isEqualTo(Verdict.Reason.GROUP);
    assertThat(reason(udp(Hosts.V4, IpAddress.parse("255.255.255.255"), 2_000)))
        .isEqualTo(Verdict.Reason.GROUP);
    assertThat(reason(udp(Hosts.V6, IpAddress.parse("ff02::1"), 2_000)))
        .isEqualTo(Verdict.Reason.GROUP);
    assertThat(reason(Octets.of(changed(udp(Hosts.V4, V4_PEER, 2_000), 0, 0xff))))
        .as("to a group of the link")
        .isEqualTo(Verdict.Reason.GROUP);
  }

  @Test
  void anotherSendersPacketIsNotAnswered() {
    assertThat(reason(udp(V4_PEER, V4_PEER, 2_000))).isEqualTo(Verdict.Reason.FOREIGN);
    assertThat(reason(udp(Hosts.NONE, V4_PEER, 2_000))).isEqualTo(Verdict.Reason.FOREIGN);
    assertThat(reason(udp(V6_PEER, V6_PEER, 2_000))).isEqualTo(Verdict.Reason.FOREIGN);
    assertThat(reason(udp(IpAddress.V6_UNSPECIFIED, V6_PEER, 2_000)))
        .isEqualTo(Verdict.Reason.FOREIGN);
  }

  @Test
  void laterFragmentsAreNotAnswered() {
    assertThat(reason(Octets.of(changed(udp(Hosts.V4, V4_PEER, 2_000), 14 + 7, 1))))
        .isEqualTo(Verdict.Reason.FRAGMENT);
    assertThat(reason(Octets.of(changed(udp(Hosts.V6, V6_PEER, 2_000), 14 + 6, 44))))
        .isEqualTo(Verdict.Reason.FRAGMENT);
  }

  @Test
  void otherProtocolsHaveNoWayToSayIt() {
    byte[] arp = changed(udp(Hosts.V4, V4_PEER, 2_000), 13, 0x06);
    assertThat(reason(Octets.of(arp))).isEqualTo(Verdict.Reason.NOT_IP);
  }

  @Test
  void everyTruncationAndRandomBytesHaveAVerdict() {
    SplittableRandom random = new SplittableRandom(11);
    for (Octets whole : List.of(udp(Hosts.V4, V4_PEER, 100), udp(Hosts.V6, V6_PEER, 100))) {
      byte[] bytes = whole.toBytes();
      for (int length = 0; length < 34; length++) {
        assertThat(reason(Octets.of(Arrays.copyOf(bytes, length))))
            .as("%d bytes", length)
            .isIn(Verdict.Reason.MALFORMED, Verdict.Reason.NOT_IP);
      }
      for (int round = 0; round < 20_000; round++) {
        byte[] spoilt = bytes.clone();
        for (int i = 0; i < 1 + random.nextInt(8); i++) {
          spoilt[random.nextInt(spoilt.length)] = (byte) random.nextInt();
        }
        assertThat(answer(Octets.of(spoilt))).isNotNull();
      }
    }
  }

  @Test
  void anAnswerIsNeverAnswered() {
    byte[] frame = only(Verdict.Kind.PACKET_TOO_BIG, answer(udp(Hosts.V6, V6_PEER, 2_000)));
    HostTerms receiver = Hosts.plain("fd00::2");
    assertThat(MtuAnswers.answer(Octets.of(frame), receiver, MTU))
        .isEqualTo(new Verdict.Dropped(Verdict.Reason.ICMP_ERROR));
  }
}
