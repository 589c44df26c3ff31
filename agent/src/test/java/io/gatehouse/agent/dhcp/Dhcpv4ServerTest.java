package io.gatehouse.agent.dhcp;

import static io.gatehouse.agent.dhcp.Hosts.EVERYBODY;
import static io.gatehouse.agent.dhcp.Hosts.MAC;
import static io.gatehouse.agent.dhcp.Hosts.NONE;
import static io.gatehouse.agent.dhcp.Hosts.V4;
import static io.gatehouse.agent.dhcp.Hosts.dhcpv4;
import static io.gatehouse.agent.dhcp.Hosts.option;
import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.flow.Octets;
import io.gatehouse.agent.state.ServerIdentity;
import io.gatehouse.model.name.PeeringName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.net.Vni;
import io.gatehouse.model.policy.PeeringPolicy;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class Dhcpv4ServerTest {
  private static final HostTerms TERMS = Hosts.configured("10.0.0.1", "10.0.0.2");
  private static final IpAddress FOREIGN = IpAddress.parse("10.0.0.9");
  private static final String SERVER = "a9fe0001";

  /** An answer's fields and options, in hexadecimal. */
  private record Answer(Datagram datagram, String yiaddr, Map<Integer, String> options) {
    static Answer of(Verdict.Kind kind, Verdict verdict) throws MalformedPacketException {
      Datagram datagram = Hosts.sent(kind, verdict);
      PacketReader in = datagram.reader();
      assertThat(in.u8()).as("BOOTREPLY").isEqualTo(2);
      String yiaddr = HexFormat.of().formatHex(in.skip(15).take(4));
      in.skip(8);
      assertThat(in.mac()).isEqualTo(MAC);
      in.skip(10 + 192 + 4);
      Map<Integer, String> options = new HashMap<>();
      for (int code = in.u8(); code != 255; code = in.u8()) {
        options.put(code, HexFormat.of().formatHex(in.take(in.u8())));
      }
      return new Answer(datagram, yiaddr, options);
    }
  }

  private static void assertDropped(Verdict.Reason reason, Octets question) {
    assertThat(HostAnswers.answer(question, TERMS)).isEqualTo(new Verdict.Dropped(reason));
  }

  @Test
  void aDiscoverOfUdhcpcIsOfferedTheAddressWithMaskMtuAndLease() throws Exception {
    Verdict verdict =
        HostAnswers.answer(CapturedQuestions.DISCOVER_UDHCPC, Hosts.plain("10.0.0.1"));

    Answer offer = Answer.of(Verdict.Kind.DHCPV4_OFFER, verdict);
    assertThat(offer.yiaddr()).isEqualTo("0a000001");
    assertThat(offer.options())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                53, "02",
                54, SERVER,
                61, "01020000000001",
                51, "00015180",
                58, "0000a8c0",
                59, "00012750",
                1, "ffffff00",
                26, "05aa",
                121, "20" + SERVER + "00000000"));
    assertThat(offer.datagram().link()).isEqualTo(new Datagram.Link(ServerIdentity.MAC, MAC));
    assertThat(offer.datagram().from()).isEqualTo(ServerIdentity.IPV4);
    assertThat(offer.datagram().to()).isEqualTo(V4);
    assertThat(offer.datagram().load().fromPort()).isEqualTo(67);
    assertThat(offer.datagram().load().toPort()).isEqualTo(68);
  }

  @Test
  void routesAndNameServersAreThoseOfTheNetwork() throws Exception {
    Verdict verdict = HostAnswers.answer(CapturedQuestions.DISCOVER_DHCLIENT, TERMS);

    Map<Integer, String> options = Answer.of(Verdict.Kind.DHCPV4_OFFER, verdict).options();
    assertThat(options)
        .containsEntry(3, "0a0000fe")
        .containsEntry(6, "0a000035")
        .containsEntry(121, "000a0000fe" + "0cac100a0000fd" + "20" + SERVER + "00000000");
  }

  @Test
  void aPeersPrefixIsOnTheLinkAndItsMtuIsItsOwn() throws Exception {
    PeeringPolicy same = Policies.peering("acme/blue/p", "globex/red", 200, "10.1.0.0/24");
    PeeringPolicy smaller =
        new PeeringPolicy(
            PeeringName.parse("tenants/acme/networks/blue/peerings/q"),
            Policies.networkName("initech/green"),
            new Vni(300),
            List.of(Cidr.parse("172.16.0.0/12")),
            1_400);

    Verdict verdict =
        HostAnswers.answer(
            CapturedQuestions.DISCOVER_UDHCPC, Hosts.peered(List.of(same, smaller), "10.0.0.1"));

    assertThat(Answer.of(Verdict.Kind.DHCPV4_OFFER, verdict).options())
        .containsEntry(26, "05aa")
        .containsEntry(121, "180a010000000000" + "0cac1000000000" + "20" + SERVER + "00000000");
  }

  @Test
  void aRouterIsNotToldToSendToItself() throws Exception {
    HostTerms router = Hosts.configured("10.0.0.254");

    Verdict verdict = HostAnswers.answer(CapturedQuestions.DISCOVER_UDHCPC, router);

    assertThat(Answer.of(Verdict.Kind.DHCPV4_OFFER, verdict).options())
        .doesNotContainKey(3)
        .containsEntry(121, "0cac100a0000fd" + "20" + SERVER + "00000000");
  }

  @Test
  void theAddressAskedForIsOfferedIfItIsThePorts() throws Exception {
    Octets second = dhcpv4(1, NONE, option(50, IpAddress.parse("10.0.0.2")));
    Octets foreign = dhcpv4(1, NONE, option(50, FOREIGN));

    assertThat(Answer.of(Verdict.Kind.DHCPV4_OFFER, HostAnswers.answer(second, TERMS)).yiaddr())
        .isEqualTo("0a000002");
    assertThat(Answer.of(Verdict.Kind.DHCPV4_OFFER, HostAnswers.answer(foreign, TERMS)).yiaddr())
        .isEqualTo("0a000001");
  }

  @Test
  void whoCannotHearUnicastYetIsAnsweredByBroadcast() throws Exception {
    Octets question = dhcpv4(MAC, 0x8000, 1, NONE);

    Datagram offer = Hosts.sent(Verdict.Kind.DHCPV4_OFFER, HostAnswers.answer(question, TERMS));

    assertThat(offer.to()).isEqualTo(EVERYBODY);
    assertThat(offer.link().to()).isEqualTo(MacAddress.BROADCAST);
  }

  @Test
  void aRequestForTheOfferIsAcknowledged() throws Exception {
    Octets question = dhcpv4(3, NONE, option(54, ServerIdentity.IPV4), option(50, V4));

    Answer ack = Answer.of(Verdict.Kind.DHCPV4_ACK, HostAnswers.answer(question, TERMS));

    assertThat(ack.yiaddr()).isEqualTo("0a000001");
    assertThat(ack.options()).containsEntry(53, "05").containsEntry(51, "00000e10");
  }

  @Test
  void aRenewalIsAnsweredToTheAddressInUse() throws Exception {
    Answer ack = Answer.of(Verdict.Kind.DHCPV4_ACK, HostAnswers.answer(dhcpv4(3, V4), TERMS));

    assertThat(ack.datagram().to()).isEqualTo(V4);
    assertThat(ack.yiaddr()).isEqualTo("0a000001");
  }

  @Test
  void anothersAddressIsRefusedToAllWhoHear() throws Exception {
    for (Octets question :
        new Octets[] {
          dhcpv4(3, NONE, option(50, FOREIGN)),
          dhcpv4(3, NONE, option(50, FOREIGN), option(54, ServerIdentity.IPV4)),
          dhcpv4(3, FOREIGN)
        }) {
      Answer nak = Answer.of(Verdict.Kind.DHCPV4_NAK, HostAnswers.answer(question, TERMS));
      assertThat(nak.yiaddr()).isEqualTo("00000000");
      assertThat(nak.options()).containsOnlyKeys(53, 54).containsEntry(53, "06");
      assertThat(nak.datagram().to()).isEqualTo(EVERYBODY);
    }
  }

  @Test
  void whoHasAnAddressGetsTheRestWithoutALease() throws Exception {
    Answer ack = Answer.of(Verdict.Kind.DHCPV4_ACK, HostAnswers.answer(dhcpv4(8, V4), TERMS));

    assertThat(ack.yiaddr()).isEqualTo("00000000");
    assertThat(ack.options()).containsEntry(26, "05aa").doesNotContainKeys(51, 58, 59);
    assertDropped(Verdict.Reason.FOREIGN, dhcpv4(8, FOREIGN));
  }

  @Test
  void whatIsNotForThisServerOrHostIsDropped() {
    MacAddress other = MacAddress.parse("02:00:00:00:00:02");
    assertDropped(Verdict.Reason.FOREIGN, dhcpv4(other, 0, 1, NONE));
    assertDropped(Verdict.Reason.OTHER_SERVER, dhcpv4(3, NONE, option(54, FOREIGN)));
    assertDropped(Verdict.Reason.BOOTP, dhcpv4(0, NONE));
    assertDropped(Verdict.Reason.DECLINED, dhcpv4(4, NONE, option(50, V4)));
    assertDropped(Verdict.Reason.RELEASED, dhcpv4(7, V4));
    assertDropped(Verdict.Reason.UNSUPPORTED, dhcpv4(13, NONE));
    assertDropped(Verdict.Reason.MALFORMED, dhcpv4(3, NONE));
    assertDropped(Verdict.Reason.MALFORMED, dhcpv4(1, NONE, option(50, 10, 0, 0)));
    assertDropped(Verdict.Reason.MALFORMED, dhcpv4(1, NONE, new byte[] {50, 40, 1}));
  }

  @Test
  void anotherHostsFrameIsDropped() {
    byte[] frame = CapturedQuestions.DISCOVER_UDHCPC.toBytes();
    frame[11] = 9;

    assertDropped(Verdict.Reason.FOREIGN, Octets.of(frame));
  }

  @Test
  void aHostWithoutIpv4IsGivenNone() {
    assertThat(HostAnswers.answer(CapturedQuestions.DISCOVER_UDHCPC, Hosts.plain("fd00::1")))
        .isEqualTo(new Verdict.Dropped(Verdict.Reason.NO_ADDRESS));
  }

  @Test
  void anOptionInPartsIsPutTogether() throws Exception {
    Octets question = dhcpv4(1, NONE, option(61, 1, 2), option(61, 3));

    assertThat(Answer.of(Verdict.Kind.DHCPV4_OFFER, HostAnswers.answer(question, TERMS)).options())
        .containsEntry(61, "010203");
  }
}
