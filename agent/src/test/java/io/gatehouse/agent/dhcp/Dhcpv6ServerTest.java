package io.gatehouse.agent.dhcp;

import static io.gatehouse.agent.dhcp.Hosts.MAC;
import static io.gatehouse.agent.dhcp.Hosts.dhcpv6;
import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.dhcp.Dhcpv6Message.Option;
import io.gatehouse.agent.flow.Octets;
import io.gatehouse.agent.state.ServerIdentity;
import io.gatehouse.model.net.IpAddress;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

final class Dhcpv6ServerTest {
  private static final HostTerms TERMS = Hosts.configured("10.0.0.1", "fd00::1");
  private static final String OWN = "fd000000000000000000000000000001";
  private static final String FOREIGN = "fd000000000000000000000000000009";
  private static final String ELSEWHERE = "fd770000000000000000000000000001";
  private static final String DUID = "00030001026768000001";

  private static final Option CLIENT = option(1, "0003000102000000" + "0001");
  private static final Option SERVER = option(2, DUID);
  private static final Option DNS = option(23, "fd000000000000000000000000000053");
  private static final Option GRANTED =
      option(3, "00000001" + "00000708" + "00000b40" + address(OWN, "00000e10"));

  private static Option option(int code, String hex) {
    return new Option(code, Octets.of(HexFormat.of().parseHex(hex)));
  }

  private static String address(String address, String seconds) {
    return "00050018" + address + seconds + seconds;
  }

  /** An association with T1 and T2 of zero that names an address, or none. */
  private static Option association(int id, String address) {
    String named = address.isEmpty() ? "" : address(address, "00000000");
    return option(3, "0000000" + id + "0000000000000000" + named);
  }

  private static Option refused(int id, int status) {
    return option(3, "0000000" + id + "0000000000000000" + "000d0002000" + status);
  }

  private static Dhcpv6Message answer(Verdict.Kind kind, Octets question)
      throws MalformedPacketException {
    Datagram datagram = Hosts.sent(kind, HostAnswers.answer(question, TERMS));
    assertThat(datagram.link()).isEqualTo(new Datagram.Link(ServerIdentity.MAC, MAC));
    assertThat(datagram.from()).isEqualTo(IpAddress.parse("fe80::67:68ff:fe00:1"));
    assertThat(datagram.to()).isEqualTo(MAC.linkLocal());
    assertThat(datagram.load().fromPort()).isEqualTo(547);
    assertThat(datagram.load().toPort()).isEqualTo(546);
    return Dhcpv6Codec.read(datagram.reader());
  }

  private static Dhcpv6Message reply(Octets question) throws MalformedPacketException {
    Dhcpv6Message reply = answer(Verdict.Kind.DHCPV6_REPLY, question);
    assertThat(reply.type()).isEqualTo(7);
    return reply;
  }

  private static void assertDropped(Verdict.Reason reason, Octets question) {
    assertThat(HostAnswers.answer(question, TERMS)).isEqualTo(new Verdict.Dropped(reason));
  }

  @Test
  void aSolicitOfDhclientIsAdvertisedTheAddress() throws Exception {
    Dhcpv6Message advertise =
        answer(Verdict.Kind.DHCPV6_ADVERTISE, CapturedQuestions.SOLICIT_DHCLIENT);

    assertThat(advertise.type()).isEqualTo(2);
    assertThat(advertise.transaction()).isEqualTo(0x7b8403);
    assertThat(advertise.options())
        .containsExactly(
            SERVER, option(1, "0001000132a068b8020000000001"), GRANTED, DNS, option(7, "ff"));
  }

  @Test
  void aSolicitInAHurryIsAnsweredAtOnce() throws Exception {
    Octets question = dhcpv6(1, CLIENT, association(1, ""), option(14, ""));

    assertThat(reply(question).options())
        .containsExactly(SERVER, CLIENT, GRANTED, DNS, option(14, ""));
  }

  @Test
  void aRequestAndItsRenewalsAreGrantedTheSame() throws Exception {
    for (Octets question :
        new Octets[] {
          dhcpv6(3, CLIENT, SERVER, association(1, OWN)),
          dhcpv6(5, CLIENT, SERVER, association(1, OWN)),
          dhcpv6(6, CLIENT, association(1, OWN))
        }) {
      assertThat(reply(question).options()).containsExactly(SERVER, CLIENT, GRANTED, DNS);
    }
  }

  @Test
  void anothersAddressEndsAtOnce() throws Exception {
    Octets question = dhcpv6(5, CLIENT, SERVER, association(1, FOREIGN));

    assertThat(reply(question).options())
        .contains(
            option(
                3,
                "00000001"
                    + "00000708"
                    + "00000b40"
                    + address(OWN, "00000e10")
                    + address(FOREIGN, "00000000")));
  }

  @Test
  void anAddressOfAnotherLinkIsRefused() throws Exception {
    Octets question = dhcpv6(3, CLIENT, SERVER, association(1, ELSEWHERE));

    assertThat(reply(question).options()).contains(refused(1, 4)).doesNotContain(GRANTED);
  }

  @Test
  void aSecondAssociationGetsNothing() throws Exception {
    Octets question = dhcpv6(3, CLIENT, SERVER, association(1, ""), association(2, ""));

    assertThat(reply(question).options()).contains(GRANTED, refused(2, 2));
  }

  @Test
  void aHostThatWokeUpIsToldWhetherItsAddressIsRightHere() throws Exception {
    Option right = option(13, "0000");
    Option wrong = option(13, "0004");

    assertThat(reply(dhcpv6(4, CLIENT, association(1, OWN))).options()).contains(right);
    assertThat(reply(dhcpv6(4, CLIENT, association(1, ELSEWHERE))).options()).contains(wrong);
    assertDropped(Verdict.Reason.MALFORMED, dhcpv6(4, CLIENT, association(1, "")));
  }

  @Test
  void whoAsksForTheRestGetsTheRest() throws Exception {
    assertThat(reply(dhcpv6(11, CLIENT)).options()).containsExactly(SERVER, CLIENT, DNS);
    assertThat(reply(dhcpv6(11)).options()).containsExactly(SERVER, DNS);
  }

  @Test
  void aReleaseIsConfirmedAndChangesNothing() throws Exception {
    Octets question = dhcpv6(8, CLIENT, SERVER, association(1, OWN));

    assertThat(reply(question).options()).containsExactly(SERVER, CLIENT, option(13, "0000"));
  }

  @Test
  void whatTheProtocolForbidsIsDropped() {
    Option other = option(2, "00030001020000000009");
    assertDropped(Verdict.Reason.OTHER_SERVER, dhcpv6(3, CLIENT, other, association(1, "")));
    assertDropped(Verdict.Reason.MALFORMED, dhcpv6(1, association(1, "")));
    assertDropped(Verdict.Reason.MALFORMED, dhcpv6(1, CLIENT, SERVER, association(1, "")));
    assertDropped(Verdict.Reason.MALFORMED, dhcpv6(3, CLIENT, association(1, "")));
    assertDropped(Verdict.Reason.MALFORMED, dhcpv6(11, CLIENT, association(1, "")));
    assertDropped(Verdict.Reason.MALFORMED, dhcpv6(1, CLIENT, option(3, "0000")));
    assertDropped(Verdict.Reason.DECLINED, dhcpv6(9, CLIENT, SERVER, association(1, OWN)));
    assertDropped(Verdict.Reason.UNSUPPORTED, dhcpv6(12, CLIENT));
    assertDropped(Verdict.Reason.UNSUPPORTED, dhcpv6(7, CLIENT, SERVER));
  }

  @Test
  void aHostWithoutIpv6IsGivenNone() {
    assertThat(HostAnswers.answer(CapturedQuestions.SOLICIT_DHCLIENT, Hosts.plain("10.0.0.1")))
        .isEqualTo(new Verdict.Dropped(Verdict.Reason.NO_ADDRESS));
  }
}
