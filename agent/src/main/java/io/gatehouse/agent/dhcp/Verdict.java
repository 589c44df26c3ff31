package io.gatehouse.agent.dhcp;

import io.gatehouse.agent.flow.Octets;
import java.util.List;

/** What becomes of a packet of a host. */
public sealed interface Verdict {
  /** Kinds of answers. */
  enum Kind {
    DHCPV4_OFFER,
    DHCPV4_ACK,
    DHCPV4_NAK,
    DHCPV6_ADVERTISE,
    DHCPV6_REPLY,
    ROUTER_ADVERTISEMENT,
    /** ICMP for IPv4: the packet is larger than its network carries. */
    FRAGMENTATION_NEEDED,
    /** The same for IPv6. */
    PACKET_TOO_BIG
  }

  /** Why a packet has no answer. */
  enum Reason {
    /** Not a packet of the protocol, or one that the protocol forbids. */
    MALFORMED,
    /** In the name of another host than the one at the port. */
    FOREIGN,
    /** BOOTP without DHCP: it would give an address for ever. */
    BOOTP,
    /** Of a relay, which has no place between a host and its DPU. */
    RELAYED,
    /** Meant for another server. */
    OTHER_SERVER,
    /** The policy gives the host no address of the family. */
    NO_ADDRESS,
    /** The host gives its address back; the policy decides whose it is. */
    RELEASED,
    /** The host says that somebody else uses its address. */
    DECLINED,
    /** A message that servers do not answer. */
    UNSUPPORTED,
    /** Too large, and not IP: there is no way to say so. */
    NOT_IP,
    /** Too large, and for more than one receiver. */
    GROUP,
    /** Too large, and itself an error: errors are not answered by errors. */
    ICMP_ERROR,
    /** Too large, and a part of a packet without its start. */
    FRAGMENT,
    /** More than the port's budget. */
    OVER_BUDGET,
    /** More than the agent has room for. */
    OVERFLOW,
    /** From a port that the policy does not know (any more). */
    UNKNOWN_PORT
  }

  /**
   * It is answered.
   *
   * @param frames to be sent to the port that the question came from
   */
  record Answered(Kind kind, List<Octets> frames) implements Verdict {
    public Answered {
      frames = List.copyOf(frames);
    }
  }

  /** It is dropped. */
  record Dropped(Reason reason) implements Verdict {}

  static Verdict answered(Kind kind, Datagram datagram) {
    return new Answered(kind, List.of(DatagramCodec.write(datagram)));
  }
}
