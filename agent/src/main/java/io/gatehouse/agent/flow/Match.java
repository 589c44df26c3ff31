package io.gatehouse.agent.flow;

import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What packets a flow is for: fields with value and mask, in one canonical form. Fields are in the
 * order of {@link Field}; bits outside a mask are zero; a field whose mask is empty is absent;
 * {@code xreg} and {@code xxreg} are split into plain registers and {@code vlan_tci} into VLAN id
 * and priority, as Open vSwitch does; the fields that others need ({@code eth_type} for {@code
 * arp_tpa}) are present.
 */
public final class Match {
  public static final Match ANY = new Match(new Field[0], new long[0]);

  private final Field[] fields;

  /** Value and mask of each field, two words for a narrow one and four for a wide one. */
  private final long[] words;

  private final int hash;

  private Match(Field[] fields, long[] words) {
    this.fields = fields;
    this.words = words;
    this.hash = 31 * Arrays.hashCode(words) + hashOf(fields);
  }

  /** A field with the part of it that is compared. */
  public record Entry(Field field, Bits value, Bits mask) {
    public boolean isExact() {
      return mask.equals(field.fullMask());
    }
  }

  /** Receives a match's fields without a copy of them. */
  @FunctionalInterface
  public interface Visitor {
    void field(Field field, Bits value, Bits mask);
  }

  public static Builder builder() {
    return new Builder();
  }

  /** The canonical match of fields that have their prerequisites. */
  static Match of(List<Entry> sorted) {
    Field[] fields = new Field[sorted.size()];
    long[] words = new long[sorted.stream().mapToInt(e -> e.field().isWide() ? 4 : 2).sum()];
    int at = 0;
    for (int i = 0; i < fields.length; i++) {
      Entry entry = sorted.get(i);
      fields[i] = entry.field();
      if (entry.field().isWide()) {
        words[at++] = entry.value().high();
        words[at++] = entry.mask().high();
      }
      words[at++] = entry.value().low();
      words[at++] = entry.mask().low();
    }
    return fields.length == 0 ? ANY : new Match(fields, words);
  }

  public boolean isAny() {
    return fields.length == 0;
  }

  public int size() {
    return fields.length;
  }

  public void forEach(Visitor visitor) {
    int at = 0;
    for (Field field : fields) {
      if (field.isWide()) {
        visitor.field(
            field, new Bits(words[at], words[at + 2]), new Bits(words[at + 1], words[at + 3]));
        at += 4;
        continue;
      }
      visitor.field(field, Bits.of(words[at]), Bits.of(words[at + 1]));
      at += 2;
    }
  }

  public List<Entry> entries() {
    List<Entry> entries = new ArrayList<>(fields.length);
    forEach((field, value, mask) -> entries.add(new Entry(field, value, mask)));
    return entries;
  }

  public boolean has(Field field) {
    return entry(field).isPresent();
  }

  public Optional<Entry> entry(Field field) {
    return entries().stream().filter(e -> e.field() == field).findFirst();
  }

  /** The value of a field all of whose bits are compared. */
  public Optional<Bits> exact(Field field) {
    return entry(field).filter(Entry::isExact).map(Entry::value);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Match that
        && hash == that.hash
        && Arrays.equals(fields, that.fields)
        && Arrays.equals(words, that.words);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** The match as {@code ovs-ofctl} reads it; empty for {@link #ANY}. */
  @Override
  public String toString() {
    return FieldText.match(this);
  }

  /** By header: the same in every process, unlike an enum's own hash. */
  private static int hashOf(Field[] fields) {
    int hash = 1;
    for (Field field : fields) {
      hash = 31 * hash + (field.oxmClass() << 7 | field.oxmField());
    }
    return hash;
  }

  /**
   * Collects fields; a field given twice must agree in the bits that both look at. Not for more
   * than one thread.
   */
  public static final class Builder {
    private final Prerequisites fields = new Prerequisites();

    private Builder() {}

    /**
     * Adds what the fields need.
     *
     * @throws InvalidValueException if a field contradicts another one, or what it needs cannot be
     *     told ({@code nw_proto} without an address family)
     */
    public Match build() {
      return of(fields.complete());
    }

    public Builder field(Field field, Bits value, Bits mask) {
      fields.put(field, value, mask);
      return this;
    }

    public Builder field(Field field, Bits value) {
      return field(field, value, field.fullMask());
    }

    public Builder field(Field field, byte[] value) {
      return field(field, Bits.ofBytes(value));
    }

    public Builder field(Field field, byte[] value, byte[] mask) {
      return field(field, Bits.ofBytes(value), Bits.ofBytes(mask));
    }

    private Builder number(Field field, long value) {
      return field(field, Bits.of(value));
    }

    private Builder mac(Field field, MacAddress mac) {
      return number(field, mac.bits());
    }

    private Builder address(Field v4, Field v6, IpAddress ip) {
      return field(ip.isV4() ? v4 : v6, new Bits(ip.high(), ip.low()));
    }

    private Builder prefix(Field v4, Field v6, Cidr cidr) {
      Field field = cidr.address().isV4() ? v4 : v6;
      fields.needFamily(field);
      return prefix(field, cidr);
    }

    /** The prefix of any field that holds an address of its family. */
    public Builder prefix(Field field, Cidr cidr) {
      Bits mask = Bits.ones(field.bits() - cidr.prefixLength()).not().and(field.fullMask());
      return field(field, new Bits(cidr.address().high(), cidr.address().low()), mask);
    }

    /** An OpenFlow 1.1+ port number: 1..0xfeff, or {@link Actions#LOCAL}. */
    public Builder inPort(int port) {
      Actions.checkPort("in_port", port);
      return number(Field.IN_PORT, port & 0xffff_ffffL);
    }

    public Builder ethSrc(MacAddress mac) {
      return mac(Field.ETH_SRC, mac);
    }

    public Builder ethDst(MacAddress mac) {
      return mac(Field.ETH_DST, mac);
    }

    public Builder ethDst(MacAddress value, MacAddress mask) {
      return field(Field.ETH_DST, Bits.of(value.bits()), Bits.of(mask.bits()));
    }

    public Builder ethType(int type) {
      return number(Field.ETH_TYPE, type);
    }

    /** Value and mask of the whole tag; the priority's bits are compared all or not at all. */
    public Builder vlanTci(int value, int mask) {
      return field(Field.VLAN_TCI, Bits.of(value), Bits.of(mask));
    }

    public Builder ipProto(int protocol) {
      return number(Field.IP_PROTO, protocol);
    }

    public Builder ipSrc(IpAddress ip) {
      return address(Field.IP_SRC, Field.IPV6_SRC, ip);
    }

    public Builder ipSrc(Cidr cidr) {
      return prefix(Field.IP_SRC, Field.IPV6_SRC, cidr);
    }

    public Builder ipDst(IpAddress ip) {
      return address(Field.IP_DST, Field.IPV6_DST, ip);
    }

    public Builder ipDst(Cidr cidr) {
      return prefix(Field.IP_DST, Field.IPV6_DST, cidr);
    }

    /** Two bits: 1 = a fragment, 2 = a later one. */
    public Builder ipFrag(int value, int mask) {
      return field(Field.IP_FRAG, Bits.of(value), Bits.of(mask));
    }

    public Builder arpOp(int operation) {
      Checks.range("arp_op", operation, 0, 0xff);
      return number(Field.ARP_OP, operation);
    }

    public Builder arpSpa(IpAddress ip) {
      return number(Field.ARP_SPA, v4("arp_spa", ip));
    }

    public Builder arpTpa(IpAddress ip) {
      return number(Field.ARP_TPA, v4("arp_tpa", ip));
    }

    public Builder arpSha(MacAddress mac) {
      return mac(Field.ARP_SHA, mac);
    }

    public Builder arpTha(MacAddress mac) {
      return mac(Field.ARP_THA, mac);
    }

    /** Of ICMP or ICMPv6, by protocol or address family. */
    public Builder icmpType(int type) {
      fields.icmpType(type);
      return this;
    }

    /** Of ICMP or ICMPv6, by protocol or address family. */
    public Builder icmpCode(int code) {
      fields.icmpCode(code);
      return this;
    }

    public Builder ndTarget(IpAddress ip) {
      if (ip.isV4()) {
        throw new InvalidValueException("nd_target", ip, "is not IPv6");
      }
      return field(Field.ND_TARGET, new Bits(ip.high(), ip.low()));
    }

    public Builder ndSll(MacAddress mac) {
      return mac(Field.ND_SLL, mac);
    }

    public Builder ndTll(MacAddress mac) {
      return mac(Field.ND_TLL, mac);
    }

    public Builder tcpSrc(int port) {
      return number(Field.TCP_SRC, port);
    }

    public Builder tcpDst(int port) {
      return number(Field.TCP_DST, port);
    }

    public Builder udpSrc(int port) {
      return number(Field.UDP_SRC, port);
    }

    public Builder udpDst(int port) {
      return number(Field.UDP_DST, port);
    }

    public Builder sctpSrc(int port) {
      return number(Field.SCTP_SRC, port);
    }

    public Builder sctpDst(int port) {
      return number(Field.SCTP_DST, port);
    }

    public Builder reg(int number, long value) {
      return number(Field.reg(number), value);
    }

    public Builder reg(int number, long value, long mask) {
      return field(Field.reg(number), Bits.of(value), Bits.of(mask));
    }

    public Builder metadata(long value) {
      return number(Field.METADATA, value);
    }

    public Builder metadata(long value, long mask) {
      return field(Field.METADATA, Bits.of(value), Bits.of(mask));
    }

    public Builder tunId(long id) {
      return number(Field.TUN_ID, id);
    }

    public Builder tunSrc(IpAddress ip) {
      return address(Field.TUN_SRC, Field.TUN_IPV6_SRC, ip);
    }

    public Builder tunDst(IpAddress ip) {
      return address(Field.TUN_DST, Field.TUN_IPV6_DST, ip);
    }

    public Builder pktMark(long value) {
      return number(Field.PKT_MARK, value);
    }

    /** Bits of {@link CtState}. */
    public Builder ctState(int value, int mask) {
      return field(Field.CT_STATE, Bits.of(value), Bits.of(mask));
    }

    public Builder ctZone(int zone) {
      return number(Field.CT_ZONE, zone);
    }

    public Builder ctMark(long value) {
      return number(Field.CT_MARK, value);
    }

    public Builder ctMark(long value, long mask) {
      return field(Field.CT_MARK, Bits.of(value), Bits.of(mask));
    }

    private static long v4(String field, IpAddress ip) {
      if (ip.isV6()) {
        throw new InvalidValueException(field, ip, "is not IPv4");
      }
      return ip.low();
    }
  }
}
