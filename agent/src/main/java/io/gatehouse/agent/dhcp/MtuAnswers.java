package io.gatehouse.agent.dhcp;

import io.gatehouse.agent.dhcp.Verdict.Kind;
import io.gatehouse.agent.dhcp.Verdict.Reason;
import io.gatehouse.agent.flow.Octets;
import io.gatehouse.agent.state.ServerIdentity;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The answer to a host's packet that is too large: "fragmentation needed" (RFC 792, RFC 1191 §4) or
 * "packet too big" (RFC 4443 §3.2), in the name of the packet's receiver. Who may not be answered
 * (RFC 1122 §3.2.2, RFC 4443 §2.4) is not, and neither is what nobody else could answer.
 *
 * <p>IPv4 without "don't fragment" has the same answer: a VTEP must not fragment (RFC 7348 §4.3),
 * and a sender that learns of it fragments by itself.
 */
public final class MtuAnswers {
  /** What an answer for IPv4 may have in all (RFC 1812 §4.3.2.3), and for IPv6 (RFC 4443 §2.4). */
  static final int MAX_V4_BYTES = 576;

  static final int MAX_V6_BYTES = 1_280;

  private static final int IPV4 = 0x0800;
  private static final int IPV6 = 0x86dd;
  private static final int IPV4_HEADER_BYTES = 20;
  private static final int IPV6_HEADER_BYTES = 40;
  private static final int ICMP_HEADER_BYTES = 8;
  private static final int OFFSET = 0x1fff;
  private static final IpAddress EVERYBODY = IpAddress.parse("255.255.255.255");

  private static final int UNREACHABLE = 3;
  private static final int FRAGMENTATION_NEEDED = 4;
  private static final int TOO_BIG = 2;

  /** Unreachable, source quench, redirect, time exceeded, parameter problem. */
  private static final Set<Integer> V4_ERRORS = Set.of(3, 4, 5, 11, 12);

  private static final int FIRST_V6_QUERY = 128;

  /** Hop-by-hop, routing, destination options: their second byte says how long they are. */
  private static final Set<Integer> V6_EXTENSIONS = Set.of(0, 43, 60);

  private static final int V6_FRAGMENT = 44;

  private final Octets frame;
  private final HostTerms terms;
  private final int mtuBytes;

  private MtuAnswers(Octets frame, HostTerms terms, int mtuBytes) {
    this.frame = frame;
    this.terms = terms;
    this.mtuBytes = mtuBytes;
  }

  /**
   * Answers a packet.
   *
   * @param frame from the Ethernet header on, from the port that the terms are of
   * @param mtuBytes that it exceeds
   */
  public static Verdict answer(Octets frame, HostTerms terms, int mtuBytes) {
    try {
      return new MtuAnswers(frame, terms, mtuBytes).answer();
    } catch (MalformedPacketException e) {
      return new Verdict.Dropped(Reason.MALFORMED);
    }
  }

  /** Sender and receiver of a packet, and why it has no answer, if that is known already. */
  private record Ends(IpAddress from, IpAddress to, Optional<Reason> silence) {}

  private Verdict answer() throws MalformedPacketException {
    PacketReader in = new PacketReader(frame.toBytes());
    boolean group = in.mac().isGroup();
    in.mac();
    int type = in.u16();
    if (type != IPV4 && type != IPV6) {
      return new Verdict.Dropped(Reason.NOT_IP);
    }
    byte[] packet = in.rest();
    Ends ends = type == IPV4 ? v4(packet) : v6(packet);
    if (group || isForMany(ends.to())) {
      return new Verdict.Dropped(Reason.GROUP);
    }
    if (ends.silence().isPresent()) {
      return new Verdict.Dropped(ends.silence().get());
    }
    Optional<MacAddress> sender = terms.macOf(ends.from());
    if (sender.isEmpty()) {
      return new Verdict.Dropped(Reason.FOREIGN);
    }
    Datagram.Link link = new Datagram.Link(ServerIdentity.MAC, sender.get());
    return type == IPV4 ? fragmentationNeeded(link, ends, packet) : tooBig(link, ends, packet);
  }

  private static Ends v4(byte[] packet) throws MalformedPacketException {
    PacketReader in = new PacketReader(packet);
    int first = in.u8();
    int options = (first & 0xf) * 4 - IPV4_HEADER_BYTES;
    boolean laterFragment = (in.skip(5).u16() & OFFSET) != 0;
    int protocol = in.skip(1).u8();
    IpAddress from = in.skip(2).ipv4();
    IpAddress to = in.ipv4();
    if (first >> 4 != 4) {
      throw new MalformedPacketException("IP version " + (first >> 4));
    }
    int payload = in.skip(options).u8();
    if (laterFragment) {
      return new Ends(from, to, Optional.of(Reason.FRAGMENT));
    }
    boolean error = protocol == Datagram.ICMP && V4_ERRORS.contains(payload);
    return new Ends(from, to, error ? Optional.of(Reason.ICMP_ERROR) : Optional.empty());
  }

  private static Ends v6(byte[] packet) throws MalformedPacketException {
    PacketReader in = new PacketReader(packet);
    int version = in.u8() >> 4;
    int next = in.skip(5).u8();
    IpAddress from = in.skip(1).ipv6();
    IpAddress to = in.ipv6();
    if (version != 6) {
      throw new MalformedPacketException("IP version " + version);
    }
    while (V6_EXTENSIONS.contains(next)) {
      next = in.u8();
      in.skip(in.u8() * 8 + 6);
    }
    if (next == V6_FRAGMENT) {
      return new Ends(from, to, Optional.of(Reason.FRAGMENT));
    }
    boolean error = next == Datagram.ICMPV6 && in.u8() < FIRST_V6_QUERY;
    return new Ends(from, to, error ? Optional.of(Reason.ICMP_ERROR) : Optional.empty());
  }

  private static boolean isForMany(IpAddress to) {
    return to.isMulticast() || to.isUnspecified() || to.equals(EVERYBODY);
  }

  private Verdict fragmentationNeeded(Datagram.Link link, Ends ends, byte[] packet) {
    PacketWriter icmp = new PacketWriter().u8(UNREACHABLE).u8(FRAGMENTATION_NEEDED).u16(0);
    icmp.u16(0).u16(mtuBytes);
    quote(icmp, packet, MAX_V4_BYTES - IPV4_HEADER_BYTES - ICMP_HEADER_BYTES);
    return answered(Kind.FRAGMENTATION_NEEDED, link, ends, icmp, Datagram.ICMP);
  }

  private Verdict tooBig(Datagram.Link link, Ends ends, byte[] packet) {
    PacketWriter icmp = new PacketWriter().u8(TOO_BIG).u8(0).u16(0).u32(mtuBytes);
    quote(icmp, packet, MAX_V6_BYTES - IPV6_HEADER_BYTES - ICMP_HEADER_BYTES);
    return answered(Kind.PACKET_TOO_BIG, link, ends, icmp, Datagram.ICMPV6);
  }

  /** As much of the packet as the answer has room for: its sender finds the connection by it. */
  private static void quote(PacketWriter icmp, byte[] packet, int room) {
    icmp.put(Arrays.copyOf(packet, Math.min(packet.length, room)));
  }

  /**
   * In the receiver's name: to it the host has a route by this very device, so that no check of
   * return paths refuses the answer, and a router between the two need not be there.
   */
  private static Verdict answered(
      Kind kind, Datagram.Link link, Ends ends, PacketWriter icmp, int protocol) {
    Datagram.Content load = new Datagram.Content(0, 0, icmp.toOctets());
    Datagram datagram =
        new Datagram(link, ends.to(), ends.from(), protocol, Datagram.HOP_LIMIT, load);
    return new Verdict.Answered(kind, List.of(DatagramCodec.write(datagram)));
  }
}
