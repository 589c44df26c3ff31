package io.gatehouse.agent.flow;

import java.util.EnumSet;

/**
 * The packet and metadata fields of Open vSwitch 3.1 that this program speaks of, each with its
 * header on the wire in OpenFlow 1.5 (ovs-fields(7); OpenFlow 1.5.1 §7.2.3).
 *
 * <p>The order of the constants is the order of a {@link Match}'s fields and of their text.
 */
public enum Field {
  IN_PORT(0x8000, 0, 32, Format.PORT, Access.EXACT, "in_port"),
  CONJ_ID(0x0001, 37, 32, Format.HEX, Access.EXACT, "conj_id"),
  TUN_ID(0x8000, 38, 64, Format.HEX, Access.MASKED_WRITABLE, "tun_id"),
  TUN_SRC(0x0001, 31, 32, Format.IPV4, Access.MASKED_WRITABLE, "tun_src"),
  TUN_DST(0x0001, 32, 32, Format.IPV4, Access.MASKED_WRITABLE, "tun_dst"),
  TUN_IPV6_SRC(0x0001, 109, 128, Format.IPV6, Access.MASKED_WRITABLE, "tun_ipv6_src"),
  TUN_IPV6_DST(0x0001, 110, 128, Format.IPV6, Access.MASKED_WRITABLE, "tun_ipv6_dst"),
  TUN_GBP_ID(0x0001, 38, 16, Format.DECIMAL, Access.MASKED_WRITABLE, "tun_gbp_id"),
  TUN_GBP_FLAGS(0x0001, 39, 8, Format.HEX, Access.MASKED_WRITABLE, "tun_gbp_flags"),
  TUN_FLAGS(0x0001, 104, 1, Format.TUN_FLAGS, Access.MASKED_WRITABLE, "tun_flags"),
  METADATA(0x8000, 2, 64, Format.HEX, Access.MASKED_WRITABLE, "metadata"),
  REG0(0x0001, 0, 32, Format.HEX, Access.MASKED_WRITABLE, "reg0"),
  REG1(0x0001, 1, 32, Format.HEX, Access.MASKED_WRITABLE, "reg1"),
  REG2(0x0001, 2, 32, Format.HEX, Access.MASKED_WRITABLE, "reg2"),
  REG3(0x0001, 3, 32, Format.HEX, Access.MASKED_WRITABLE, "reg3"),
  REG4(0x0001, 4, 32, Format.HEX, Access.MASKED_WRITABLE, "reg4"),
  REG5(0x0001, 5, 32, Format.HEX, Access.MASKED_WRITABLE, "reg5"),
  REG6(0x0001, 6, 32, Format.HEX, Access.MASKED_WRITABLE, "reg6"),
  REG7(0x0001, 7, 32, Format.HEX, Access.MASKED_WRITABLE, "reg7"),
  REG8(0x0001, 8, 32, Format.HEX, Access.MASKED_WRITABLE, "reg8"),
  REG9(0x0001, 9, 32, Format.HEX, Access.MASKED_WRITABLE, "reg9"),
  REG10(0x0001, 10, 32, Format.HEX, Access.MASKED_WRITABLE, "reg10"),
  REG11(0x0001, 11, 32, Format.HEX, Access.MASKED_WRITABLE, "reg11"),
  REG12(0x0001, 12, 32, Format.HEX, Access.MASKED_WRITABLE, "reg12"),
  REG13(0x0001, 13, 32, Format.HEX, Access.MASKED_WRITABLE, "reg13"),
  REG14(0x0001, 14, 32, Format.HEX, Access.MASKED_WRITABLE, "reg14"),
  REG15(0x0001, 15, 32, Format.HEX, Access.MASKED_WRITABLE, "reg15"),
  XREG0(0x8001, 0, 64, Format.HEX, Access.MASKED_WRITABLE, "xreg0"),
  XREG1(0x8001, 1, 64, Format.HEX, Access.MASKED_WRITABLE, "xreg1"),
  XREG2(0x8001, 2, 64, Format.HEX, Access.MASKED_WRITABLE, "xreg2"),
  XREG3(0x8001, 3, 64, Format.HEX, Access.MASKED_WRITABLE, "xreg3"),
  XREG4(0x8001, 4, 64, Format.HEX, Access.MASKED_WRITABLE, "xreg4"),
  XREG5(0x8001, 5, 64, Format.HEX, Access.MASKED_WRITABLE, "xreg5"),
  XREG6(0x8001, 6, 64, Format.HEX, Access.MASKED_WRITABLE, "xreg6"),
  XREG7(0x8001, 7, 64, Format.HEX, Access.MASKED_WRITABLE, "xreg7"),
  XXREG0(0x0001, 111, 128, Format.HEX, Access.MASKED_WRITABLE, "xxreg0"),
  XXREG1(0x0001, 112, 128, Format.HEX, Access.MASKED_WRITABLE, "xxreg1"),
  XXREG2(0x0001, 113, 128, Format.HEX, Access.MASKED_WRITABLE, "xxreg2"),
  XXREG3(0x0001, 114, 128, Format.HEX, Access.MASKED_WRITABLE, "xxreg3"),
  PKT_MARK(0x0001, 33, 32, Format.HEX, Access.MASKED_WRITABLE, "pkt_mark"),
  CT_STATE(0x0001, 105, 8, Format.CT_STATE, Access.MASKED, "ct_state"),
  CT_ZONE(0x0001, 106, 16, Format.DECIMAL, Access.EXACT, "ct_zone"),
  CT_MARK(0x0001, 107, 32, Format.HEX, Access.MASKED_WRITABLE, "ct_mark"),
  CT_LABEL(0x0001, 108, 128, Format.HEX, Access.MASKED_WRITABLE, "ct_label"),
  ETH_SRC(0x8000, 4, 48, Format.ETHERNET, Access.MASKED_WRITABLE, "eth_src"),
  ETH_DST(0x8000, 3, 48, Format.ETHERNET, Access.MASKED_WRITABLE, "eth_dst"),
  ETH_TYPE(0x8000, 5, 16, Format.HEX, Access.EXACT, "eth_type"),
  VLAN_TCI(0x0000, 4, 16, Format.HEX, Access.MASKED_WRITABLE, "vlan_tci"),
  VLAN_VID(0x8000, 6, 13, Format.HEX, Access.MASKED_WRITABLE, "vlan_vid"),
  VLAN_PCP(0x8000, 7, 3, Format.DECIMAL, Access.EXACT_WRITABLE, "vlan_pcp"),
  IP_PROTO(0x8000, 10, 8, Format.DECIMAL, Access.EXACT, "nw_proto"),
  IP_SRC(0x8000, 11, 32, Format.IPV4, Access.MASKED_WRITABLE, "ip_src"),
  IP_DST(0x8000, 12, 32, Format.IPV4, Access.MASKED_WRITABLE, "ip_dst"),
  IPV6_SRC(0x8000, 26, 128, Format.IPV6, Access.MASKED_WRITABLE, "ipv6_src"),
  IPV6_DST(0x8000, 27, 128, Format.IPV6, Access.MASKED_WRITABLE, "ipv6_dst"),
  IPV6_LABEL(0x8000, 28, 20, Format.HEX, Access.MASKED_WRITABLE, "ipv6_label"),
  IP_DSCP(0x8000, 8, 6, Format.DECIMAL, Access.EXACT_WRITABLE, "ip_dscp"),
  IP_ECN(0x8000, 9, 2, Format.DECIMAL, Access.EXACT_WRITABLE, "nw_ecn"),
  NW_TTL(0x0001, 29, 8, Format.DECIMAL, Access.EXACT_WRITABLE, "nw_ttl"),
  IP_FRAG(0x0001, 26, 2, Format.FRAGMENT, Access.MASKED, "ip_frag"),
  ARP_OP(0x8000, 21, 16, Format.DECIMAL, Access.EXACT_WRITABLE, "arp_op"),
  ARP_SPA(0x8000, 22, 32, Format.IPV4, Access.MASKED_WRITABLE, "arp_spa"),
  ARP_TPA(0x8000, 23, 32, Format.IPV4, Access.MASKED_WRITABLE, "arp_tpa"),
  ARP_SHA(0x8000, 24, 48, Format.ETHERNET, Access.MASKED_WRITABLE, "arp_sha"),
  ARP_THA(0x8000, 25, 48, Format.ETHERNET, Access.MASKED_WRITABLE, "arp_tha"),
  TCP_SRC(0x8000, 13, 16, Format.DECIMAL, Access.MASKED_WRITABLE, "tcp_src"),
  TCP_DST(0x8000, 14, 16, Format.DECIMAL, Access.MASKED_WRITABLE, "tcp_dst"),
  TCP_FLAGS(0x8000, 42, 12, Format.HEX, Access.MASKED, "tcp_flags"),
  UDP_SRC(0x8000, 15, 16, Format.DECIMAL, Access.MASKED_WRITABLE, "udp_src"),
  UDP_DST(0x8000, 16, 16, Format.DECIMAL, Access.MASKED_WRITABLE, "udp_dst"),
  SCTP_SRC(0x8000, 17, 16, Format.DECIMAL, Access.MASKED_WRITABLE, "sctp_src"),
  SCTP_DST(0x8000, 18, 16, Format.DECIMAL, Access.MASKED_WRITABLE, "sctp_dst"),
  ICMP_TYPE(0x8000, 19, 8, Format.DECIMAL, Access.EXACT_WRITABLE, "icmp_type"),
  ICMP_CODE(0x8000, 20, 8, Format.DECIMAL, Access.EXACT_WRITABLE, "icmp_code"),
  ICMPV6_TYPE(0x8000, 29, 8, Format.DECIMAL, Access.EXACT_WRITABLE, "icmpv6_type"),
  ICMPV6_CODE(0x8000, 30, 8, Format.DECIMAL, Access.EXACT_WRITABLE, "icmpv6_code"),
  ND_TARGET(0x8000, 31, 128, Format.IPV6, Access.MASKED_WRITABLE, "nd_target"),
  ND_SLL(0x8000, 32, 48, Format.ETHERNET, Access.MASKED_WRITABLE, "nd_sll"),
  ND_TLL(0x8000, 33, 48, Format.ETHERNET, Access.MASKED_WRITABLE, "nd_tll"),
  ND_RESERVED(0x1000, 1, 32, Format.DECIMAL, Access.EXACT_WRITABLE, "nd_reserved"),
  ND_OPTIONS_TYPE(0x1000, 2, 8, Format.DECIMAL, Access.EXACT_WRITABLE, "nd_options_type"),
  // Behind the fields that they need: a switch reads a match in this order.
  CT_NW_PROTO(0x0001, 119, 8, Format.DECIMAL, Access.EXACT, "ct_nw_proto"),
  CT_NW_SRC(0x0001, 120, 32, Format.IPV4, Access.MASKED, "ct_nw_src"),
  CT_NW_DST(0x0001, 121, 32, Format.IPV4, Access.MASKED, "ct_nw_dst"),
  CT_IPV6_SRC(0x0001, 122, 128, Format.IPV6, Access.MASKED, "ct_ipv6_src"),
  CT_IPV6_DST(0x0001, 123, 128, Format.IPV6, Access.MASKED, "ct_ipv6_dst"),
  CT_TP_SRC(0x0001, 124, 16, Format.DECIMAL, Access.MASKED, "ct_tp_src"),
  CT_TP_DST(0x0001, 125, 16, Format.DECIMAL, Access.MASKED, "ct_tp_dst");

  /** How a value is written. */
  enum Format {
    DECIMAL,
    HEX,
    PORT,
    ETHERNET,
    IPV4,
    IPV6,
    FRAGMENT,
    CT_STATE,
    TUN_FLAGS
  }

  private enum Access {
    EXACT,
    EXACT_WRITABLE,
    MASKED,
    MASKED_WRITABLE
  }

  private final int oxmClass;
  private final int oxmField;
  private final int bits;
  private final Format format;
  private final Access access;
  private final String text;

  Field(int oxmClass, int oxmField, int bits, Format format, Access access, String text) {
    this.oxmClass = oxmClass;
    this.oxmField = oxmField;
    this.bits = bits;
    this.format = format;
    this.access = access;
    this.text = text;
  }

  /** The class of the field's OXM header, 16 bits; no field here is an experimenter's. */
  public int oxmClass() {
    return oxmClass;
  }

  /** The number of the field in its class, 7 bits. */
  public int oxmField() {
    return oxmField;
  }

  /** How many bits of a value may be set. */
  public int bits() {
    return bits;
  }

  /** Length of a value on the wire, in bytes. */
  public int bytes() {
    return switch (this) {
      case TUN_FLAGS, TCP_FLAGS, VLAN_VID -> 2;
      case IPV6_LABEL, CT_STATE -> 4;
      default -> (bits + 7) / 8;
    };
  }

  /** The mask that leaves nothing out. */
  public Bits fullMask() {
    return Bits.ones(bits);
  }

  /** True if a match may look at some of the bits only. */
  public boolean isMaskable() {
    return access == Access.MASKED || access == Access.MASKED_WRITABLE;
  }

  /** True if actions may change it. */
  public boolean isWritable() {
    return access == Access.EXACT_WRITABLE || access == Access.MASKED_WRITABLE;
  }

  /** True for values of more than 64 bits. */
  boolean isWide() {
    return bits > 64;
  }

  Format format() {
    return format;
  }

  /** The name that {@code ovs-ofctl} knows. */
  public String text() {
    return text;
  }

  /** A value of the field as {@code ovs-ofctl} reads it. */
  public String valueText(Bits value) {
    return FieldText.value(this, value);
  }

  /** {@code reg0} to {@code reg15}. */
  public static Field reg(int number) {
    Checks.range("reg", number, 0, 15);
    return Lookup.REGS[number];
  }

  /** {@code xreg0} to {@code xreg7}: 64 bits, a pair of the plain registers. */
  public static Field xreg(int number) {
    Checks.range("xreg", number, 0, 7);
    return Lookup.XREGS[number];
  }

  /** {@code xxreg0} to {@code xxreg3}: 128 bits, four of the plain registers. */
  public static Field xxreg(int number) {
    Checks.range("xxreg", number, 0, 3);
    return Lookup.XXREGS[number];
  }

  /** Holds the registers once: a constructor of this enum cannot. */
  private static final class Lookup {
    private static final Field[] REGS = range(REG0, REG15);
    private static final Field[] XREGS = range(XREG0, XREG7);
    private static final Field[] XXREGS = range(XXREG0, XXREG3);

    private static Field[] range(Field first, Field last) {
      return EnumSet.range(first, last).toArray(new Field[0]);
    }
  }
}
