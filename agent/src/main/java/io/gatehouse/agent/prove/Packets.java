package io.gatehouse.agent.prove;

import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.walk.Packet;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;

/** Packets by what they say. */
final class Packets {
  /** Ports that no service and no rule of this program looks at. */
  private static final int SOURCE_PORT = 40_000;

  private static final int DESTINATION_PORT = 40_001;
  private static final int TTL = 64;
  private static final int DISCOVERY_TTL = 255;

  private Packets() {}

  static Packet frame(Packet at, MacAddress from, MacAddress to) {
    return at.with(Field.ETH_SRC, from).with(Field.ETH_DST, to);
  }

  /** Without anything behind the IP header. */
  static Packet ip(Packet frame, IpAddress from, IpAddress to, int protocol) {
    return frame
        .with(Field.ETH_TYPE, from.isV4() ? Headers.IPV4 : Headers.IPV6)
        .with(Field.IP_SRC, Field.IPV6_SRC, from)
        .with(Field.IP_DST, Field.IPV6_DST, to)
        .with(Field.IP_PROTO, protocol)
        .with(Field.NW_TTL, TTL);
  }

  static Packet udp(Packet frame, IpAddress from, IpAddress to) {
    return udp(frame, from, to, SOURCE_PORT, DESTINATION_PORT);
  }

  static Packet udp(Packet frame, IpAddress from, IpAddress to, int fromPort, int toPort) {
    return ip(frame, from, to, Headers.UDP)
        .with(Field.UDP_SRC, fromPort)
        .with(Field.UDP_DST, toPort);
  }

  static Packet arp(Packet frame, int operation, IpAddress says, IpAddress target) {
    return frame
        .with(Field.ETH_TYPE, Headers.ARP)
        .with(Field.ARP_OP, operation)
        .with(Field.ARP_SHA, frame.get(Field.ETH_SRC))
        .with(Field.ARP_SPA, Field.ARP_SPA, says)
        .with(Field.ARP_TPA, Field.ARP_TPA, target);
  }

  static Packet icmp6(Packet frame, IpAddress from, IpAddress to, int type) {
    return ip(frame, from, to, Headers.ICMPV6)
        .with(Field.NW_TTL, DISCOVERY_TTL)
        .with(Field.ICMPV6_TYPE, type);
  }

  /** A solicitation or an advertisement; the option carries the frame's source. */
  static Packet discovery(Packet frame, int type, IpAddress from, IpAddress target) {
    return icmp6(frame, from, target, type)
        .with(Field.ND_TARGET, new Bits(target.high(), target.low()))
        .with(type == Headers.SOLICITATION ? Field.ND_SLL : Field.ND_TLL, frame.get(Field.ETH_SRC));
  }
}
