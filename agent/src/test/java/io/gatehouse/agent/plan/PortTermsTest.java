package io.gatehouse.agent.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.plan.PacketWalker.Delivery;
import io.gatehouse.agent.plan.pipeline.Protocols;
import io.gatehouse.agent.state.MeterKind;
import io.gatehouse.agent.state.ServerIdentity;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Address pairs, quarantine and limits, by walking packets through the planned flows. */
final class PortTermsTest {
  private static final int TUNNEL = 1;
  private static final int WEB_PORT = 2;
  private static final int DB_PORT = 3;
  private static final MacAddress WEB = MacAddress.parse("02:00:00:00:00:01");
  private static final MacAddress DB = MacAddress.parse("02:00:00:00:00:02");
  private static final MacAddress LOG = MacAddress.parse("02:00:00:00:00:04");
  private static final MacAddress VIRTUAL = MacAddress.parse("00:00:5e:00:01:01");

  private static List<Delivery> walk(String scenario, Packet packet) throws IOException {
    return new PacketWalker(Scenario.named(scenario).plan().flows()).walk(packet);
  }

  private static IpAddress ip(String address) {
    return IpAddress.parse(address);
  }

  private static Bits bits(String address) {
    return new Bits(ip(address).high(), ip(address).low());
  }

  @Test
  void aQuestionAboutAPairGoesToTheWholeNetworkAndIsNotAnsweredHere() throws IOException {
    for (String floating : List.of("10.0.0.100", "10.9.7.7", "fd00:1::100")) {
      String own = ip(floating).isV4() ? "10.0.0.2" : "fd00:1::2";
      Packet question = Packet.question(DB_PORT, DB, ip(own), ip(floating));
      assertThat(walk("address-pairs", question))
          .as(floating)
          .extracting(Delivery::port)
          .containsExactly(WEB_PORT, TUNNEL, TUNNEL);
      assertThat(walk("three-dpus", question)).as("without pairs").isEmpty();
    }
  }

  @Test
  void aPairIsAddressAndMacTogether() throws IOException {
    Packet right = Packet.ip(WEB_PORT, VIRTUAL, DB, ip("10.0.0.100"));
    assertThat(walk("address-pairs", right)).extracting(Delivery::port).containsExactly(DB_PORT);
    assertThat(walk("address-pairs", Packet.ip(WEB_PORT, WEB, DB, ip("10.0.0.100")))).isEmpty();
    assertThat(walk("address-pairs", Packet.ip(WEB_PORT, VIRTUAL, DB, ip("10.0.0.1")))).isEmpty();
    assertThat(walk("address-pairs", Packet.ip(WEB_PORT, WEB, DB, ip("10.9.0.1")))).isEmpty();
    assertThat(walk("address-pairs", Packet.ip(DB_PORT, DB, WEB, ip("10.9.0.1")))).hasSize(1);
    assertThat(walk("address-pairs", Packet.ip(WEB_PORT, WEB, DB, ip("fd00:1::100")))).hasSize(1);
    assertThat(walk("address-pairs", Packet.ip(DB_PORT, DB, WEB, ip("fd00:1::100")))).isEmpty();
  }

  @Test
  void aMacOfPairsReachesAllWhoMayUseItAndNobodyElse() throws IOException {
    Packet toVirtual = Packet.ip(DB_PORT, DB, VIRTUAL, ip("10.0.0.2"));
    List<Delivery> got = walk("address-pairs", toVirtual);
    assertThat(got).extracting(Delivery::port).containsExactly(WEB_PORT, TUNNEL);
    assertThat(got.get(1).get(Field.TUN_DST)).isEqualTo(bits("192.0.2.2"));
    Packet fromTunnel = Packet.ip(TUNNEL, LOG, VIRTUAL, ip("10.0.0.4"));
    assertThat(walk("address-pairs", fromTunnel.tunnelled(100, ip("192.0.2.3"))))
        .extracting(Delivery::port)
        .containsExactly(WEB_PORT, DB_PORT);
  }

  @Test
  void aPortInQuarantineIsAloneWhateverItSays() throws IOException {
    for (MacAddress to : List.of(DB, LOG, MacAddress.BROADCAST)) {
      assertThat(walk("quarantine", Packet.ip(WEB_PORT, WEB, to, ip("10.0.0.1")))).isEmpty();
    }
    Packet question = Packet.question(WEB_PORT, WEB, ip("10.0.0.1"), ip("10.0.0.4"));
    assertThat(walk("quarantine", question)).isEmpty();
    Packet toIt = Packet.ip(TUNNEL, LOG, WEB, ip("10.0.0.4"));
    assertThat(walk("quarantine", toIt.tunnelled(100, ip("192.0.2.3")))).isEmpty();
  }

  @Test
  void aPortInQuarantineTalksWithAllowedAddressesBothWays() throws IOException {
    Packet out = Packet.ip(DB_PORT, DB, LOG, ip("10.0.0.2"));
    assertThat(walk("quarantine", out.copy().with(Field.IP_DST, bits("10.0.0.4"))))
        .extracting(Delivery::port)
        .containsExactly(TUNNEL);
    assertThat(walk("quarantine", out.copy().with(Field.IP_DST, bits("10.0.0.3")))).isEmpty();
    Packet forged = Packet.ip(DB_PORT, DB, LOG, ip("10.0.0.9"));
    assertThat(walk("quarantine", forged.with(Field.IP_DST, bits("10.0.0.4")))).isEmpty();
    Packet in = Packet.ip(TUNNEL, LOG, DB, ip("10.0.0.4")).tunnelled(100, ip("192.0.2.3"));
    assertThat(walk("quarantine", in)).extracting(Delivery::port).containsExactly(DB_PORT);
    Packet bad = Packet.ip(TUNNEL, LOG, DB, ip("10.0.0.5")).tunnelled(100, ip("192.0.2.3"));
    assertThat(walk("quarantine", bad)).isEmpty();
  }

  @Test
  void aPortInQuarantineAsksForAllowedAddressesOnly() throws IOException {
    for (String family : List.of("10.0.0.", "fd00:1::")) {
      Packet allowed = Packet.question(DB_PORT, DB, ip(family + "2"), ip(family + "4"));
      List<Delivery> answer = walk("quarantine", allowed);
      assertThat(answer).extracting(Delivery::port).containsExactly(DB_PORT);
      assertThat(ScenarioHosts.answered(answer.get(0))).isEqualTo(family + "4 is at " + LOG);
      Packet other = Packet.question(DB_PORT, DB, ip(family + "2"), ip(family + "3"));
      assertThat(walk("quarantine", other)).isEmpty();
    }
  }

  @Test
  void aPortInQuarantineThatMayTalkIsGivenItsConfigurationAndNoOther() throws IOException {
    PacketWalker walker = new PacketWalker(Scenario.named("quarantine").plan().flows());
    assertThat(walker.asksAgentOnly(discover(DB_PORT, DB))).isTrue();
    assertThat(walker.asksAgentOnly(solicits(DB_PORT, DB))).isTrue();
    for (Packet mute : List.of(discover(WEB_PORT, WEB), solicits(WEB_PORT, WEB))) {
      assertThat(walker.asksAgentOnly(mute)).isFalse();
      assertThat(walker.walk(mute)).isEmpty();
    }
    Packet server = Packet.question(DB_PORT, DB, ip("10.0.0.2"), ServerIdentity.IPV4);
    assertThat(walker.walk(server)).extracting(Delivery::port).containsExactly(DB_PORT);
  }

  private static Packet discover(int port, MacAddress host) {
    return Packet.ip(port, host, MacAddress.BROADCAST, IpAddress.V4_UNSPECIFIED)
        .with(Field.IP_DST, bits("255.255.255.255"))
        .with(Field.UDP_SRC, Bits.of(68))
        .with(Field.UDP_DST, Bits.of(67));
  }

  private static Packet solicits(int port, MacAddress host) {
    return Packet.ip(port, host, MacAddress.BROADCAST, host.linkLocal())
        .with(Field.IPV6_DST, bits("ff02::2"))
        .with(Field.IP_PROTO, Bits.of(Protocols.ICMPV6))
        .with(Field.ICMPV6_TYPE, Bits.of(Protocols.ROUTER_SOLICITATION));
  }

  @Test
  void everyPacketMeetsItsLimitsOnce() throws IOException {
    Packet out = Packet.ip(WEB_PORT, WEB, LOG, ip("10.0.0.1"));
    assertThat(meters("limits", out))
        .containsExactly(
            id(MeterKind.EGRESS_BITS, WEB_PORT), id(MeterKind.EGRESS_PACKETS, WEB_PORT));
    Packet across = Packet.ip(DB_PORT, DB, WEB, ip("10.0.0.2"));
    assertThat(meters("limits", across))
        .containsExactly(
            id(MeterKind.EGRESS_BITS, DB_PORT),
            id(MeterKind.INGRESS_BITS, WEB_PORT),
            id(MeterKind.INGRESS_PACKETS, WEB_PORT));
    Packet all = Packet.ip(DB_PORT, DB, MacAddress.BROADCAST, ip("10.0.0.2"));
    assertThat(meters("limits", all))
        .containsExactly(
            id(MeterKind.EGRESS_BITS, DB_PORT),
            id(MeterKind.BROADCAST, DB_PORT),
            id(MeterKind.INGRESS_BITS, WEB_PORT),
            id(MeterKind.INGRESS_PACKETS, WEB_PORT));
  }

  private static List<Integer> meters(String scenario, Packet packet) throws IOException {
    return new PacketWalker(Scenario.named(scenario).plan().flows()).metersOf(packet);
  }

  private static int id(MeterKind kind, int port) {
    return kind.id(port);
  }
}
