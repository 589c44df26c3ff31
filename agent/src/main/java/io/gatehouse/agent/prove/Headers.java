package io.gatehouse.agent.prove;

import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.walk.Packet;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;

/** The headers of a packet in the words of protocols. */
record Headers(Packet packet) {
  static final int ARP = 0x0806;
  static final int IPV4 = 0x0800;
  static final int IPV6 = 0x86dd;
  static final int ICMP = 1;
  static final int TCP = 6;
  static final int UDP = 17;
  static final int ICMPV6 = 58;
  static final int SCTP = 132;
  static final int ROUTER_SOLICITATION = 133;
  static final int ROUTER_ADVERTISEMENT = 134;
  static final int SOLICITATION = 135;
  static final int ADVERTISEMENT = 136;
  static final int REDIRECT = 137;

  boolean isArp() {
    return number(Field.ETH_TYPE) == ARP;
  }

  boolean isV4() {
    return number(Field.ETH_TYPE) == IPV4;
  }

  boolean isV6() {
    return number(Field.ETH_TYPE) == IPV6;
  }

  boolean isArpRequest() {
    return isArp() && number(Field.ARP_OP) == 1;
  }

  boolean isDiscovery(int type) {
    return isV6() && protocol() == ICMPV6 && number(Field.ICMPV6_TYPE) == type;
  }

  /** Neighbour and listener discovery, which no router passes on (RFC 4861 §6.1, RFC 3810 §5). */
  boolean isForLink() {
    int type = number(Field.ICMPV6_TYPE);
    boolean listeners = (type >= 130 && type <= 132) || type == 143;
    boolean neighbours = type >= ROUTER_SOLICITATION && type <= REDIRECT;
    return isV6() && protocol() == ICMPV6 && (listeners || neighbours);
  }

  /** What says where others are, and so needs no security rule. */
  boolean isNeighbourMessage() {
    return isArp() || isDiscovery(SOLICITATION) || isDiscovery(ADVERTISEMENT);
  }

  /** Headers that a switch may refuse to carry at all. */
  boolean isOdd() {
    return number(Field.VLAN_VID) != 0 || number(Field.IP_FRAG) != 0;
  }

  int protocol() {
    return number(Field.IP_PROTO);
  }

  MacAddress source() {
    return mac(Field.ETH_SRC);
  }

  MacAddress destination() {
    return mac(Field.ETH_DST);
  }

  MacAddress mac(Field field) {
    return new MacAddress(packet.get(field).low());
  }

  IpAddress ipSource() {
    return isV6() ? v6(Field.IPV6_SRC) : v4(Field.IP_SRC);
  }

  IpAddress ipDestination() {
    return isV6() ? v6(Field.IPV6_DST) : v4(Field.IP_DST);
  }

  IpAddress v4(Field field) {
    return IpAddress.ofV4(packet.get(field).low());
  }

  IpAddress v6(Field field) {
    Bits bits = packet.get(field);
    return IpAddress.ofV6(bits.high(), bits.low());
  }

  int number(Field field) {
    return (int) packet.get(field).low();
  }
}
