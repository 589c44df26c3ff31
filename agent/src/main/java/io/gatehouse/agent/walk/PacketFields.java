package io.gatehouse.agent.walk;

import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.Field;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The fields of a packet on its way: read by lookups, written by actions. A field that the packet
 * does not have is not written (meta-flow.c, {@code mf_are_prereqs_ok}).
 */
final class PacketFields {
  private static final int ARP = 0x0806;
  private static final int RARP = 0x8035;
  private static final int IPV4 = 0x0800;
  private static final int IPV6 = 0x86dd;
  private static final int LATER_FRAGMENT = 2;
  private static final int TAG_PRESENT = 0x1000;

  /** What a fragment does not show, even the first one (ovs-ofctl(8), "frag handling"). */
  private static final Set<Field> TRANSPORT =
      EnumSet.of(
          Field.TCP_SRC,
          Field.TCP_DST,
          Field.UDP_SRC,
          Field.UDP_DST,
          Field.SCTP_SRC,
          Field.SCTP_DST,
          Field.ICMP_TYPE,
          Field.ICMP_CODE,
          Field.ICMPV6_TYPE,
          Field.ICMPV6_CODE);

  private static final Set<Field> TUPLE = EnumSet.range(Field.CT_NW_PROTO, Field.CT_TP_DST);

  private final Map<Field, Bits> fields;
  private final int lengthBytes;

  PacketFields(Packet packet) {
    this(packet.copyFields(), packet.lengthBytes());
  }

  private PacketFields(Map<Field, Bits> fields, int lengthBytes) {
    this.fields = fields;
    this.lengthBytes = lengthBytes;
  }

  PacketFields copy() {
    return new PacketFields(new EnumMap<>(fields), lengthBytes);
  }

  Packet packet() {
    return Packet.ofFields(fields, lengthBytes);
  }

  int lengthBytes() {
    return lengthBytes;
  }

  Bits get(Field field) {
    return switch (field) {
      case XREG0, XREG1, XREG2, XREG3, XREG4, XREG5, XREG6, XREG7 ->
          registers(2 * (field.oxmField() - Field.XREG0.oxmField()), 2);
      case XXREG0, XXREG1, XXREG2, XXREG3 ->
          registers(4 * (field.oxmField() - Field.XXREG0.oxmField()), 4);
      default -> plain(field);
    };
  }

  /** As a lookup sees it. */
  Bits looked(Field field) {
    return TRANSPORT.contains(field) && !get(Field.IP_FRAG).isZero() ? Bits.ZERO : get(field);
  }

  void put(Field field, Bits value) {
    switch (field) {
      case XREG0, XREG1, XREG2, XREG3, XREG4, XREG5, XREG6, XREG7 ->
          putRegisters(2 * (field.oxmField() - Field.XREG0.oxmField()), 2, value);
      case XXREG0, XXREG1, XXREG2, XXREG3 ->
          putRegisters(4 * (field.oxmField() - Field.XXREG0.oxmField()), 4, value);
      default -> fields.put(field, value);
    }
  }

  void put(Field field, long value) {
    put(field, Bits.of(value));
  }

  void set(Action.SetField set) {
    if (isThere(set.field())) {
      put(set.field(), get(set.field()).and(set.mask().not()).or(set.value()));
    }
  }

  void move(Action.Move move) {
    if (!isThere(move.srcField()) || !isThere(move.dstField())) {
      return;
    }
    Bits mask = Bits.ones(move.bits());
    Bits moved = get(move.srcField()).shiftRight(move.srcOfs()).and(mask);
    Bits kept = get(move.dstField()).and(mask.shiftLeft(move.dstOfs()).not());
    put(move.dstField(), kept.or(moved.shiftLeft(move.dstOfs())));
  }

  void setBit(Field field, int bit, boolean value) {
    Bits mask = Bits.of(1).shiftLeft(bit);
    Bits others = get(field).and(mask.not());
    put(field, value ? others.or(mask) : others);
  }

  long read(Field field, int offset, int bits) {
    return get(field).shiftRight(offset).and(Bits.ones(bits)).low();
  }

  /** The connection is the one that this packet opens. */
  void putOwnTuple() {
    if (!isIp()) {
      return;
    }
    put(Field.CT_NW_PROTO, get(Field.IP_PROTO));
    boolean v4 = is(Field.ETH_TYPE, IPV4);
    put(v4 ? Field.CT_NW_SRC : Field.CT_IPV6_SRC, get(v4 ? Field.IP_SRC : Field.IPV6_SRC));
    put(v4 ? Field.CT_NW_DST : Field.CT_IPV6_DST, get(v4 ? Field.IP_DST : Field.IPV6_DST));
    for (Transport transport : Transport.values()) {
      if (is(Field.IP_PROTO, transport.protocol)) {
        put(Field.CT_TP_SRC, get(transport.source));
        put(Field.CT_TP_DST, get(transport.destination));
      }
    }
  }

  /** Where the tracker takes ports from; of ICMP they are type and code. */
  private enum Transport {
    TCP(6, Field.TCP_SRC, Field.TCP_DST),
    UDP(17, Field.UDP_SRC, Field.UDP_DST),
    SCTP(132, Field.SCTP_SRC, Field.SCTP_DST),
    ICMP(1, Field.ICMP_TYPE, Field.ICMP_CODE),
    ICMPV6(58, Field.ICMPV6_TYPE, Field.ICMPV6_CODE);

    private final int protocol;
    private final Field source;
    private final Field destination;

    Transport(int protocol, Field source, Field destination) {
      this.protocol = protocol;
      this.source = source;
      this.destination = destination;
    }
  }

  void clearConnection() {
    for (Field field : TUPLE) {
      put(field, Bits.ZERO);
    }
    put(Field.CT_STATE, Bits.ZERO);
    put(Field.CT_ZONE, Bits.ZERO);
    put(Field.CT_MARK, Bits.ZERO);
    put(Field.CT_LABEL, Bits.ZERO);
  }

  boolean isTagged() {
    return (get(Field.VLAN_VID).low() & TAG_PRESENT) != 0;
  }

  boolean isIp() {
    return is(Field.ETH_TYPE, IPV4) || is(Field.ETH_TYPE, IPV6);
  }

  private boolean isThere(Field field) {
    return switch (field) {
      case ARP_OP, ARP_SPA, ARP_TPA, ARP_SHA, ARP_THA ->
          is(Field.ETH_TYPE, ARP) || is(Field.ETH_TYPE, RARP);
      case IP_SRC, IP_DST -> is(Field.ETH_TYPE, IPV4);
      case IPV6_SRC, IPV6_DST, IPV6_LABEL -> is(Field.ETH_TYPE, IPV6);
      case IP_PROTO, IP_DSCP, IP_ECN, NW_TTL, IP_FRAG -> isIp();
      case TCP_SRC, TCP_DST, TCP_FLAGS -> isProtocol(6);
      case UDP_SRC, UDP_DST -> isProtocol(17);
      case SCTP_SRC, SCTP_DST -> isProtocol(132);
      case ICMP_TYPE, ICMP_CODE -> is(Field.ETH_TYPE, IPV4) && isProtocol(1);
      case ICMPV6_TYPE, ICMPV6_CODE -> is(Field.ETH_TYPE, IPV6) && isProtocol(58);
      case ND_TARGET, ND_RESERVED, ND_OPTIONS_TYPE -> isDiscovery(135) || isDiscovery(136);
      case ND_SLL -> isDiscovery(135);
      case ND_TLL -> isDiscovery(136);
      case VLAN_PCP -> isTagged();
      default -> true;
    };
  }

  private boolean isProtocol(int number) {
    boolean later = (get(Field.IP_FRAG).low() & LATER_FRAGMENT) != 0;
    return isIp() && !later && is(Field.IP_PROTO, number);
  }

  private boolean isDiscovery(int type) {
    return is(Field.ETH_TYPE, IPV6)
        && isProtocol(58)
        && is(Field.ICMPV6_TYPE, type)
        && get(Field.ICMPV6_CODE).isZero();
  }

  private boolean is(Field field, int value) {
    return get(field).low() == value;
  }

  private Bits plain(Field field) {
    return fields.getOrDefault(field, Bits.ZERO);
  }

  /** The first register of a pair or four is the most significant. */
  private Bits registers(int first, int count) {
    Bits value = Bits.ZERO;
    for (int i = 0; i < count; i++) {
      value = value.shiftLeft(32).or(plain(Field.reg(first + i)));
    }
    return value;
  }

  private void putRegisters(int first, int count, Bits value) {
    for (int i = 0; i < count; i++) {
      int shift = 32 * (count - 1 - i);
      fields.put(Field.reg(first + i), value.shiftRight(shift).and(Bits.ones(32)));
    }
  }
}
