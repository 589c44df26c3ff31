package io.gatehouse.agent.flow;

import io.gatehouse.model.net.InvalidValueException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The fields of a match in the making, and what each needs beside it (ovs-fields(7),
 * "Prerequisites").
 */
final class Prerequisites {
  private static final int ARP = 0x0806;
  private static final int IPV4 = 0x0800;
  private static final int IPV6 = 0x86dd;
  private static final int RARP = 0x8035;
  private static final int ICMP = 1;
  private static final int TCP = 6;
  private static final int UDP = 17;
  private static final int ICMPV6 = 58;
  private static final int SCTP = 132;
  private static final int SOLICITATION = 135;
  private static final int ADVERTISEMENT = 136;
  private static final int VLAN_PRESENT = 0x1000;
  private static final int LATER_FRAGMENT = 2;
  private static final int UNSET = -1;

  private final Map<Field, Match.Entry> entries = new EnumMap<>(Field.class);
  private int icmpType = UNSET;
  private int icmpCode = UNSET;

  void icmpType(int type) {
    Checks.range("icmp_type", type, 0, 0xff);
    icmpType = type;
  }

  void icmpCode(int code) {
    Checks.range("icmp_code", code, 0, 0xff);
    icmpCode = code;
  }

  /** A prefix of length 0 compares nothing, but still means the family. */
  void needFamily(Field address) {
    need(address, Field.ETH_TYPE, address.isWide() ? IPV6 : IPV4);
  }

  void put(Field field, Bits value, Bits mask) {
    Bits full = field.fullMask();
    if (!value.fits(field.bits())) {
      throw new InvalidValueException(field.text(), value, "is outside its bits " + full);
    }
    Bits looked = mask.and(full);
    if (!field.isMaskable() && !looked.equals(full)) {
      throw new InvalidValueException(field.text(), value + "/" + mask, "cannot be masked");
    }
    if (looked.isZero()) {
      return;
    }
    switch (field) {
      case VLAN_TCI -> putTag(value, looked);
      case XREG0, XREG1, XREG2, XREG3, XREG4, XREG5, XREG6, XREG7 ->
          putRegisters(2 * (field.oxmField() - Field.XREG0.oxmField()), 2, value, looked);
      case XXREG0, XXREG1, XXREG2, XXREG3 ->
          putRegisters(4 * (field.oxmField() - Field.XXREG0.oxmField()), 4, value, looked);
      default -> merge(field, value.and(looked), looked);
    }
  }

  /** All fields with what they need, sorted. */
  List<Match.Entry> complete() {
    placeIcmp();
    for (Field field : Set.copyOf(entries.keySet())) {
      require(field);
    }
    return new ArrayList<>(entries.values());
  }

  private void merge(Field field, Bits value, Bits mask) {
    Match.Entry old = entries.get(field);
    if (old == null) {
      entries.put(field, new Match.Entry(field, value, mask));
      return;
    }
    Bits both = old.mask().and(mask);
    if (!old.value().and(both).equals(value.and(both))) {
      throw new InvalidValueException(
          field.text(), value, "contradicts " + old.value() + " in the same match");
    }
    entries.put(field, new Match.Entry(field, old.value().or(value), old.mask().or(mask)));
  }

  /** The first register of a pair or four is the most significant. */
  private void putRegisters(int first, int count, Bits value, Bits mask) {
    for (int i = 0; i < count; i++) {
      int shift = 32 * (count - 1 - i);
      Bits word = Bits.ones(32);
      put(
          Field.reg(first + i),
          value.shiftRight(shift).and(word),
          mask.shiftRight(shift).and(word));
    }
  }

  private void putTag(Bits value, Bits mask) {
    Bits low = Field.VLAN_VID.fullMask();
    Bits priority = mask.shiftRight(13);
    if (!priority.isZero() && !priority.equals(Field.VLAN_PCP.fullMask())) {
      throw new InvalidValueException("vlan_tci", value + "/" + mask, "masks part of the priority");
    }
    put(Field.VLAN_VID, value.and(low), mask.and(low));
    if (!priority.isZero()) {
      put(Field.VLAN_PCP, value.shiftRight(13), priority);
    }
  }

  private void placeIcmp() {
    if (icmpType == UNSET && icmpCode == UNSET) {
      return;
    }
    boolean v6 =
        is(Field.IP_PROTO, ICMPV6)
            || is(Field.ETH_TYPE, IPV6)
            || has(Field.IPV6_SRC)
            || has(Field.IPV6_DST)
            || has(Field.ND_TARGET);
    boolean v4 =
        is(Field.IP_PROTO, ICMP)
            || is(Field.ETH_TYPE, IPV4)
            || has(Field.IP_SRC)
            || has(Field.IP_DST);
    if (v4 == v6) {
      throw new InvalidValueException("icmp_type", icmpType, "has no address family beside it");
    }
    if (icmpType != UNSET) {
      need(Field.ICMP_TYPE, v6 ? Field.ICMPV6_TYPE : Field.ICMP_TYPE, icmpType);
    }
    if (icmpCode != UNSET) {
      need(Field.ICMP_CODE, v6 ? Field.ICMPV6_CODE : Field.ICMP_CODE, icmpCode);
    }
  }

  private void require(Field field) {
    switch (field) {
      case VLAN_PCP -> merge(Field.VLAN_VID, Bits.of(VLAN_PRESENT), Bits.of(VLAN_PRESENT));
      case ARP_OP, ARP_SPA, ARP_TPA, ARP_SHA, ARP_THA -> requireArp(field);
      case IP_SRC, IP_DST -> need(field, Field.ETH_TYPE, IPV4);
      case IPV6_SRC, IPV6_DST, IPV6_LABEL -> need(field, Field.ETH_TYPE, IPV6);
      case IP_PROTO, IP_DSCP, IP_ECN, NW_TTL, IP_FRAG -> requireIp(field);
      case TCP_SRC, TCP_DST, TCP_FLAGS -> requireProtocol(field, TCP);
      case UDP_SRC, UDP_DST -> requireProtocol(field, UDP);
      case SCTP_SRC, SCTP_DST -> requireProtocol(field, SCTP);
      case ICMP_TYPE, ICMP_CODE -> {
        requireFirstFragment(field);
        need(field, Field.ETH_TYPE, IPV4);
        need(field, Field.IP_PROTO, ICMP);
      }
      case ICMPV6_TYPE, ICMPV6_CODE -> requireIcmpV6(field);
      case ND_TARGET, ND_RESERVED, ND_OPTIONS_TYPE -> requireDiscovery(field);
      case ND_SLL -> requireMessage(field, SOLICITATION);
      case ND_TLL -> requireMessage(field, ADVERTISEMENT);
      case CT_NW_PROTO, CT_NW_SRC, CT_NW_DST, CT_IPV6_SRC, CT_IPV6_DST -> requireTracked(field);
      case CT_TP_SRC, CT_TP_DST -> requireTrackedProtocol(field);
      default -> {}
    }
  }

  private void requireArp(Field field) {
    if (!is(Field.ETH_TYPE, RARP)) {
      need(field, Field.ETH_TYPE, ARP);
    }
  }

  private void requireIp(Field field) {
    if (!is(Field.ETH_TYPE, IPV4) && !is(Field.ETH_TYPE, IPV6)) {
      impliedFamily(field);
    }
  }

  /** An address beside the field tells the family, if it comes later in the order. */
  private void impliedFamily(Field field) {
    if (has(Field.IP_SRC) || has(Field.IP_DST) || has(Field.ICMP_TYPE) || has(Field.ICMP_CODE)) {
      need(field, Field.ETH_TYPE, IPV4);
      return;
    }
    boolean v6 =
        entries.keySet().stream()
            .anyMatch(
                f ->
                    f.text().startsWith("ipv6_")
                        || f.text().startsWith("nd_")
                        || f.text().startsWith("icmpv6_"));
    if (!v6) {
      throw new InvalidValueException(
          field.text(), shown(field), "needs eth_type 0x800 or 0x86dd beside it");
    }
    need(field, Field.ETH_TYPE, IPV6);
  }

  /** Only the first fragment has a transport header. */
  private void requireFirstFragment(Field field) {
    Match.Entry fragment = entries.get(Field.IP_FRAG);
    if (fragment != null && !fragment.value().and(Bits.of(LATER_FRAGMENT)).isZero()) {
      throw new InvalidValueException(field.text(), shown(field), "is not in later fragments");
    }
  }

  private void requireProtocol(Field field, int protocol) {
    requireFirstFragment(field);
    need(field, Field.IP_PROTO, protocol);
    requireIp(field);
  }

  private void requireIcmpV6(Field field) {
    requireFirstFragment(field);
    need(field, Field.ETH_TYPE, IPV6);
    need(field, Field.IP_PROTO, ICMPV6);
  }

  private void requireMessage(Field field, int type) {
    need(field, Field.ICMPV6_TYPE, type);
    requireDiscovery(field);
  }

  private void requireDiscovery(Field field) {
    requireIcmpV6(field);
    if (has(Field.ND_SLL)) {
      need(field, Field.ICMPV6_TYPE, SOLICITATION);
    }
    if (has(Field.ND_TLL)) {
      need(field, Field.ICMPV6_TYPE, ADVERTISEMENT);
    }
    if (!is(Field.ICMPV6_TYPE, SOLICITATION) && !is(Field.ICMPV6_TYPE, ADVERTISEMENT)) {
      throw new InvalidValueException(
          field.text(), shown(field), "needs icmpv6_type 135 or 136 beside it");
    }
  }

  /** A connection's own addresses are known only where there is a valid connection. */
  private void requireTracked(Field field) {
    Match.Entry state = entries.get(Field.CT_STATE);
    boolean valid =
        state != null
            && (!state.value().and(Bits.of(CtState.OF_VALID)).isZero()
                || (!state.value().and(Bits.of(CtState.TRACKED)).isZero()
                    && !state.mask().and(Bits.of(CtState.INVALID)).isZero()
                    && state.value().and(Bits.of(CtState.INVALID)).isZero()));
    if (!valid) {
      throw new InvalidValueException(
          field.text(), shown(field), "needs ct_state=+trk-inv beside it");
    }
    switch (field) {
      case CT_NW_SRC, CT_NW_DST -> need(field, Field.ETH_TYPE, IPV4);
      case CT_IPV6_SRC, CT_IPV6_DST -> need(field, Field.ETH_TYPE, IPV6);
      default -> {}
    }
    if (field == Field.CT_NW_PROTO && is(field, 0)) {
      throw new InvalidValueException(
          field.text(), 0, "compares nothing: Open vSwitch leaves it out");
    }
  }

  /** Open vSwitch leaves the port out, without a word, where no protocol is compared. */
  private void requireTrackedProtocol(Field field) {
    requireTracked(field);
    if (!has(Field.CT_NW_PROTO)) {
      throw new InvalidValueException(field.text(), shown(field), "needs ct_nw_proto beside it");
    }
  }

  private void need(Field field, Field needed, int value) {
    Bits wanted = Bits.of(value);
    Match.Entry entry = entries.get(needed);
    if (entry == null) {
      put(needed, wanted, needed.fullMask());
      return;
    }
    if (!entry.value().equals(wanted)) {
      throw new InvalidValueException(
          field.text(),
          shown(field),
          "needs " + needed.text() + "=" + wanted + ", not " + entry.value());
    }
  }

  private boolean is(Field field, int value) {
    Match.Entry entry = entries.get(field);
    return entry != null && entry.value().equals(Bits.of(value));
  }

  private boolean has(Field field) {
    return entries.containsKey(field);
  }

  private String shown(Field field) {
    Match.Entry entry = entries.get(field);
    return entry == null ? "" : entry.value().toString();
  }
}
