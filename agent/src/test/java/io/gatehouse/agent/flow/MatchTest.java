package io.gatehouse.agent.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import org.junit.jupiter.api.Test;

final class MatchTest {
  private static final MacAddress MAC = MacAddress.parse("02:00:00:00:00:0a");

  @Test
  void arpFieldsBringTheirEtherType() {
    Match match = Match.builder().inPort(3).arpOp(1).arpTpa(IpAddress.parse("10.0.0.1")).build();

    assertThat(match).hasToString("arp,in_port=3,arp_op=1,arp_tpa=10.0.0.1");
    assertThat(match.exact(Field.ETH_TYPE)).contains(Bits.of(0x0806));
  }

  @Test
  void solicitationFieldsBringTypeProtocolAndFamily() {
    Match match = Match.builder().ndSll(MAC).ndTarget(IpAddress.parse("fd00::1")).build();

    assertThat(match)
        .hasToString("icmp6,icmpv6_type=135,nd_target=fd00::1,nd_sll=02:00:00:00:00:0a");
  }

  @Test
  void theOrderOfCallsDoesNotMatter() {
    Match one = Match.builder().tcpDst(80).ipSrc(IpAddress.parse("10.0.0.1")).reg(0, 7).build();
    Match two = Match.builder().reg(0, 7).ipSrc(IpAddress.parse("10.0.0.1")).tcpDst(80).build();

    assertThat(one).isEqualTo(two).hasSameHashCodeAs(two);
    assertThat(one).hasToString("tcp,reg0=0x7,ip_src=10.0.0.1,tcp_dst=80");
  }

  @Test
  void bitsOutsideTheMaskAreZeroAndAFullMaskIsNone() {
    assertThat(Match.builder().reg(1, 0xffff, 0xff).build())
        .isEqualTo(Match.builder().reg(1, 0xff, 0xff).build());
    assertThat(Match.builder().reg(1, 5, 0xffff_ffffL).build())
        .isEqualTo(Match.builder().reg(1, 5).build());
    assertThat(Match.builder().reg(1, 5, 0).build()).isEqualTo(Match.ANY);
  }

  @Test
  void wideRegistersAreSplit() {
    assertThat(Match.builder().field(Field.xreg(1), Bits.of(0x1_0000_0002L)).build())
        .isEqualTo(Match.builder().reg(2, 1).reg(3, 2).build());
    assertThat(Match.builder().field(Field.xxreg(0), new Bits(0x1_0000_0002L, 3)).build())
        .isEqualTo(Match.builder().reg(0, 1).reg(1, 2).reg(2, 0).reg(3, 3).build());
  }

  @Test
  void aPrefixIsAMaskAndLengthZeroOnlyTheFamily() {
    assertThat(Match.builder().ipDst(Cidr.parse("10.1.0.0/16")).build())
        .hasToString("ip,ip_dst=10.1.0.0/255.255.0.0");
    assertThat(Match.builder().ipDst(Cidr.parse("::/0")).build()).hasToString("ipv6");
  }

  @Test
  void icmpFollowsTheFamily() {
    assertThat(Match.builder().ethType(0x86dd).icmpType(134).icmpCode(0).build())
        .hasToString("icmp6,icmpv6_type=134,icmpv6_code=0");
    assertThat(Match.builder().icmpType(8).ipSrc(IpAddress.parse("10.0.0.1")).build())
        .hasToString("icmp,ip_src=10.0.0.1,icmp_type=8");
  }

  @Test
  void whatCannotBeToldIsRefusedByName() {
    assertRefused("nw_proto", Match.builder().ipProto(6));
    assertRefused("tcp_dst", Match.builder().tcpDst(80));
    assertRefused("icmp_type", Match.builder().icmpType(8));
    assertRefused("nd_target", Match.builder().ndTarget(IpAddress.parse("fd00::1")));
    assertRefused("arp_op", Match.builder().ethType(0x0800).arpOp(1));
    assertRefused("tcp_dst", Match.builder().ethType(0x0800).ipFrag(3, 3).tcpDst(80));
    assertRefused("nd_sll", Match.builder().ndSll(MAC).ndTll(MAC));
    assertThatThrownBy(() -> Match.builder().reg(0, 1).reg(0, 2))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("reg0");
    assertRefused("ct_nw_proto", Match.builder().field(Field.CT_NW_PROTO, Bits.of(6)));
    assertRefused("ct_nw_proto", tracked().field(Field.CT_NW_PROTO, Bits.ZERO));
    assertRefused("ct_tp_dst", tracked().field(Field.CT_TP_DST, Bits.of(80)));
    assertThatThrownBy(() -> Match.builder().inPort(0)).hasMessageContaining("in_port");
  }

  private static Match.Builder tracked() {
    return Match.builder().ctState(CtState.TRACKED, CtState.TRACKED | CtState.INVALID);
  }

  @Test
  void aConnectionsOwnAddressesBringTheFamily() {
    assertThat(
            tracked()
                .field(Field.CT_TP_DST, Bits.of(80))
                .field(Field.CT_NW_PROTO, Bits.of(6))
                .field(Field.CT_NW_SRC, Bits.of(0x0a000001))
                .build())
        .hasToString("ip,ct_state=-inv+trk,ct_nw_proto=6,ct_nw_src=10.0.0.1,ct_tp_dst=80");
    assertThat(tracked().field(Field.CT_IPV6_DST, new Bits(1, 1)).build().exact(Field.ETH_TYPE))
        .contains(Bits.of(0x86dd));
    Match replies =
        Match.builder()
            .ctState(CtState.REPLY, CtState.REPLY)
            .field(Field.CT_NW_PROTO, Bits.of(6))
            .build();
    assertThat(replies).hasToString("ct_state=+rpl,ct_nw_proto=6");
  }

  @Test
  void textOfFlagsAndFragments() {
    assertThat(Match.builder().ethType(0x0800).ipFrag(3, 3).ctState(0x21, 0x31).build())
        .hasToString("ip,ct_state=+new-inv+trk,ip_frag=later");
    assertThat(Match.builder().vlanTci(0, 0x1fff).build()).hasToString("vlan_vid=0x0");
  }

  private static void assertRefused(String field, Match.Builder builder) {
    assertThatThrownBy(builder::build)
        .isInstanceOfSatisfying(
            InvalidValueException.class, e -> assertThat(e.field()).isIn(field, "nd_tll"));
  }
}
