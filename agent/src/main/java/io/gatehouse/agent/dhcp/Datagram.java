package io.gatehouse.agent.dhcp;

import io.gatehouse.agent.flow.Octets;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;

/**
 * An IP packet with its link-layer addresses: UDP, or ICMP where the ports are 0 and the payload
 * starts with the type.
 *
 * @param protocol {@link #UDP}, {@link #ICMP} or {@link #ICMPV6}
 * @param hopLimit or TTL
 */
record Datagram(Link link, IpAddress from, IpAddress to, int protocol, int hopLimit, Content load) {
  static final int ICMP = 1;
  static final int UDP = 17;
  static final int ICMPV6 = 58;
  static final int HOP_LIMIT = 64;

  /** Who sends to whom on the link. */
  record Link(MacAddress from, MacAddress to) {}

  /** What is carried. */
  record Content(int fromPort, int toPort, Octets payload) {}

  static Datagram udp(Link link, IpAddress from, IpAddress to, Content load) {
    return new Datagram(link, from, to, UDP, HOP_LIMIT, load);
  }

  /** Neighbour discovery: what has passed a router is refused by its hop limit. */
  static Datagram discovery(Link link, IpAddress from, IpAddress to, Octets payload) {
    return new Datagram(link, from, to, ICMPV6, 255, new Content(0, 0, payload));
  }

  PacketReader reader() {
    return new PacketReader(load.payload().toBytes());
  }
}
