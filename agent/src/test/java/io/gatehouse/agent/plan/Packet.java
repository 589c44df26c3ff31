package io.gatehouse.agent.plan;

import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.CtState;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.plan.pipeline.Protocols;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import java.util.EnumMap;
import java.util.Map;

/** A packet as the switch sees it: fields with values; a field that is not there is zero. */
final class Packet {
  private static final int TTL = 64;

  private final Map<Field, Bits> fields = new EnumMap<>(Field.class);

  private Packet() {}

  static Packet from(int inPort) {
    return new Packet().with(Field.IN_PORT, Bits.of(inPort));
  }

  /** An IP packet, by the family of its addresses. */
  static Packet ip(int inPort, MacAddress from, MacAddress to, IpAddress source) {
    return from(inPort)
        .with(Field.ETH_SRC, Bits.of(from.bits()))
        .with(Field.ETH_DST, Bits.of(to.bits()))
        .with(Field.ETH_TYPE, Bits.of(source.isV4() ? Protocols.IPV4 : Protocols.IPV6))
        .with(Field.IP_PROTO, Bits.of(Protocols.UDP))
        .with(Field.NW_TTL, Bits.of(TTL))
        .with(source.isV4() ? Field.IP_SRC : Field.IPV6_SRC, bits(source));
  }

  /** "Who has this address?" */
  static Packet question(int inPort, MacAddress from, IpAddress source, IpAddress target) {
    Packet packet =
        from(inPort)
            .with(Field.ETH_SRC, Bits.of(from.bits()))
            .with(Field.ETH_DST, Bits.of(MacAddress.BROADCAST.bits()));
    if (source.isV4()) {
      return packet
          .with(Field.ETH_TYPE, Bits.of(Protocols.ARP))
          .with(Field.ARP_OP, Bits.of(Protocols.ARP_REQUEST))
          .with(Field.ARP_SHA, Bits.of(from.bits()))
          .with(Field.ARP_SPA, bits(source))
          .with(Field.ARP_TPA, bits(target));
    }
    return packet
        .with(Field.ETH_TYPE, Bits.of(Protocols.IPV6))
        .with(Field.IP_PROTO, Bits.of(Protocols.ICMPV6))
        .with(Field.ICMPV6_TYPE, Bits.of(Protocols.NEIGHBOUR_SOLICITATION))
        .with(Field.IPV6_SRC, bits(source))
        .with(Field.ND_SLL, Bits.of(from.bits()))
        .with(Field.ND_TARGET, bits(target));
  }

  Packet with(Field field, Bits value) {
    fields.put(field, value);
    return this;
  }

  /** As it comes out of a tunnel. */
  Packet tunnelled(int vni, IpAddress vtep) {
    return with(Field.TUN_ID, Bits.of(vni))
        .with(vtep.isV4() ? Field.TUN_SRC : Field.TUN_IPV6_SRC, bits(vtep));
  }

  /** As the connection tracker gives it back if it opens a connection. */
  Packet opening() {
    boolean v4 = get(Field.ETH_TYPE).low() == Protocols.IPV4;
    return with(Field.CT_STATE, Bits.of(CtState.TRACKED | CtState.NEW))
        .with(Field.CT_NW_PROTO, get(Field.IP_PROTO))
        .with(v4 ? Field.CT_NW_SRC : Field.CT_IPV6_SRC, get(v4 ? Field.IP_SRC : Field.IPV6_SRC))
        .with(v4 ? Field.CT_NW_DST : Field.CT_IPV6_DST, get(v4 ? Field.IP_DST : Field.IPV6_DST))
        .with(Field.CT_TP_SRC, get(Field.UDP_SRC))
        .with(Field.CT_TP_DST, get(Field.UDP_DST));
  }

  Bits get(Field field) {
    return fields.getOrDefault(field, Bits.ZERO);
  }

  Packet copy() {
    Packet copy = new Packet();
    copy.fields.putAll(fields);
    return copy;
  }

  static Bits bits(IpAddress ip) {
    return new Bits(ip.high(), ip.low());
  }

  @Override
  public String toString() {
    return fields.toString();
  }
}
