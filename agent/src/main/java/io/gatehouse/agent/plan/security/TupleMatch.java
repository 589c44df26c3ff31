package io.gatehouse.agent.plan.security;

import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.CtState;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.security.SecurityRule.Direction;
import io.gatehouse.model.security.Traffic;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Matches on how a connection was opened, whichever way the packet goes: the addresses and ports of
 * its first packet, which the connection tracker remembers. So one flow judges both directions, and
 * an ICMP error as the connection that it is about.
 *
 * @param group number of the group that asks
 */
record TupleMatch(long group) {
  private static final int IPV4 = 0x0800;
  private static final int IPV6 = 0x86dd;
  private static final int ICMP = 1;
  private static final int ICMPV6 = 58;
  private static final int EXACT = 0xffff;

  /** Every packet of a valid connection. */
  Match.Builder any() {
    return Match.builder()
        .metadata(group)
        .ctState(CtState.TRACKED, CtState.TRACKED | CtState.INVALID);
  }

  /** Adds the other end: who was opened to, or who opened. */
  static Match.Builder remote(Match.Builder match, Direction direction, Cidr remote) {
    boolean v4 = remote.address().isV4();
    Field to = v4 ? Field.CT_NW_DST : Field.CT_IPV6_DST;
    Field from = v4 ? Field.CT_NW_SRC : Field.CT_IPV6_SRC;
    Field field = direction == Direction.EGRESS ? to : from;
    IpAddress address = remote.address();
    Bits mask = Bits.ones(field.bits() - remote.prefixLength()).not().and(field.fullMask());
    return match
        .ethType(v4 ? IPV4 : IPV6)
        .field(field, new Bits(address.high(), address.low()), mask);
  }

  /**
   * The matches that together are a kind of traffic.
   *
   * @param family the only one that is asked for; empty: both
   */
  List<Match.Builder> traffic(Traffic traffic, Optional<IpAddress.Family> family) {
    return parts(traffic, family).map(part -> part.apply(any())).toList();
  }

  private static Stream<UnaryOperator<Match.Builder>> parts(
      Traffic traffic, Optional<IpAddress.Family> family) {
    if (traffic instanceof Traffic.Ports ports) {
      return ports(ports);
    }
    if (traffic instanceof Traffic.Icmp icmp) {
      return Stream.of(match -> icmp(match, icmp));
    }
    if (traffic instanceof Traffic.Protocol protocol) {
      return protocol.number() == 0
          ? zero(family)
          : Stream.of(match -> protocol(match, protocol.number()));
    }
    return Stream.of(match -> match);
  }

  private static Stream<UnaryOperator<Match.Builder>> ports(Traffic.Ports ports) {
    int number = ports.transport().protocol();
    if (ports.isEveryPort()) {
      return Stream.of(match -> protocol(match, number));
    }
    return PortRange.blocks(ports.firstPort(), ports.lastPort()).stream()
        .map(
            block ->
                match ->
                    port(protocol(match, number), Field.CT_TP_DST, block.value(), block.mask()));
  }

  /** The tracker keeps type and code of what opened an ICMP exchange in the place of the ports. */
  private static Match.Builder icmp(Match.Builder match, Traffic.Icmp icmp) {
    boolean v4 = icmp.family() == IpAddress.Family.V4;
    protocol(match.ethType(v4 ? IPV4 : IPV6), v4 ? ICMP : ICMPV6);
    octet(match, Field.CT_TP_SRC, icmp.type());
    octet(match, Field.CT_TP_DST, icmp.code());
    return match;
  }

  private static void octet(Match.Builder match, Field field, OptionalInt value) {
    value.ifPresent(number -> port(match, field, number, EXACT));
  }

  /** Open vSwitch cannot compare the tracker's protocol with 0, so the packet's own is compared. */
  private static Stream<UnaryOperator<Match.Builder>> zero(Optional<IpAddress.Family> family) {
    return Stream.of(IpAddress.Family.values())
        .filter(each -> family.isEmpty() || family.get() == each)
        .map(each -> match -> match.ethType(each == IpAddress.Family.V4 ? IPV4 : IPV6).ipProto(0));
  }

  private static Match.Builder protocol(Match.Builder match, int number) {
    return match.field(Field.CT_NW_PROTO, Bits.of(number));
  }

  private static Match.Builder port(Match.Builder match, Field field, int value, int mask) {
    return match.field(field, Bits.of(value), Bits.of(mask));
  }
}
