package io.gatehouse.agent.dhcp;

import static io.gatehouse.agent.dhcp.Hosts.MAC;
import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.flow.Octets;
import io.gatehouse.agent.state.ServerIdentity;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RouterAdvertiserTest {
  private static final HostTerms TERMS = Hosts.configured("fd00::1");
  private static final String PREFIX =
      "03044080" + "00000e10" + "00000e10" + "00000000" + "fd000000000000000000000000000000";
  private static final String MTU = "05010000000005aa";

  private static List<Octets> answer(Octets question, HostTerms terms) {
    if (HostAnswers.answer(question, terms) instanceof Verdict.Answered answered) {
      assertThat(answered.kind()).isEqualTo(Verdict.Kind.ROUTER_ADVERTISEMENT);
      return answered.frames();
    }
    throw new AssertionError("no answer");
  }

  /** The message behind the checksum, which tcpdump checks elsewhere. */
  private static String message(Datagram datagram) {
    String hex = HexFormat.of().formatHex(datagram.load().payload().toBytes());
    assertThat(hex).startsWith("8600");
    return hex.substring(8);
  }

  @Test
  void theDpuTellsMtuPrefixAndNameServersAndIsNoRouter() throws Exception {
    Datagram own = DatagramCodec.read(answer(CapturedQuestions.SOLICITATION_LINUX, TERMS).get(0));

    assertThat(own.link()).isEqualTo(new Datagram.Link(ServerIdentity.MAC, MAC));
    assertThat(own.from()).isEqualTo(ServerIdentity.LINK_LOCAL);
    assertThat(own.to()).isEqualTo(MAC.linkLocal());
    assertThat(own.hopLimit()).isEqualTo(255);
    assertThat(message(own))
        .isEqualTo(
            "40c00000"
                + "0000000000000000"
                + "0101026768000001"
                + MTU
                + PREFIX
                + "19030000"
                + "00000e10"
                + "fd000000000000000000000000000053");
  }

  @Test
  void aPeersPrefixIsOnTheLinkAndTheSmallestMtuCounts() throws Exception {
    HostTerms terms =
        Hosts.peered(
            List.of(Policies.peering("acme/blue/p", "globex/red", 200, "10.1.0.0/24", "fd01::/64")),
            "fd00::1");
    String told =
        message(DatagramCodec.read(answer(CapturedQuestions.SOLICITATION_LINUX, terms).get(0)));

    // On the link (0x80), and no address is made of it; for a day.
    assertThat(told)
        .contains(MTU)
        .contains(
            "03044080" + "00015180" + "00015180" + "00000000" + "fd010000000000000000000000000000");
  }

  @Test
  void aRouteIsToldInTheNameOfItsNextHop() throws Exception {
    List<Octets> frames = answer(CapturedQuestions.SOLICITATION_RDISC6, TERMS);

    assertThat(frames).as("fd00::dead is nobody's address").hasSize(2);
    Datagram router = DatagramCodec.read(frames.get(1));
    assertThat(router.link()).isEqualTo(new Datagram.Link(Hosts.ROUTER_MAC, MAC));
    assertThat(router.from()).isEqualTo(IpAddress.parse("fe80::ff:fe00:fe"));
    assertThat(message(router))
        .isEqualTo(
            "40c00e10"
                + "0000000000000000"
                + "01010200000000fe"
                + "18033000"
                + "00000e10"
                + "fd010000000000000000000000000000");
  }

  @Test
  void aRouterIsNotToldOfItself() {
    assertThat(answer(CapturedQuestions.SOLICITATION_LINUX, Hosts.configured("fd00::fe")))
        .hasSize(1);
  }

  @Test
  void whatNobodyAskedForGoesToAll() throws Exception {
    List<Octets> frames = RouterAdvertiser.advertise(Hosts.plain("fd00::1"));

    assertThat(frames).hasSize(1);
    Datagram own = DatagramCodec.read(frames.get(0));
    assertThat(own.to()).isEqualTo(IpAddress.parse("ff02::1"));
    assertThat(own.link().to()).isEqualTo(MacAddress.parse("33:33:00:00:00:01"));
  }

  @Test
  void aSolicitationThatHasPassedARouterIsDropped() {
    byte[] frame = CapturedQuestions.SOLICITATION_LINUX.toBytes();
    frame[14 + 7] = (byte) 254;

    assertThat(HostAnswers.answer(Octets.of(frame), TERMS))
        .isEqualTo(new Verdict.Dropped(Verdict.Reason.MALFORMED));
  }

  @Test
  void aHostWithoutIpv6HearsNothing() {
    assertThat(HostAnswers.answer(CapturedQuestions.SOLICITATION_LINUX, Hosts.plain("10.0.0.1")))
        .isEqualTo(new Verdict.Dropped(Verdict.Reason.NO_ADDRESS));
  }
}
