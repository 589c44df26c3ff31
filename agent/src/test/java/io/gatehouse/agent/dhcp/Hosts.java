package io.gatehouse.agent.dhcp;

import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.flow.Octets;
import io.gatehouse.agent.state.ServerIdentity;
import io.gatehouse.model.HostConfiguration;
import io.gatehouse.model.HostConfiguration.Route;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.policy.NetworkPolicy;
import io.gatehouse.model.policy.PeeringPolicy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Hosts, what they are told, what they ask, and what is in an answer. */
final class Hosts {
  static final MacAddress MAC = MacAddress.parse("02:00:00:00:00:01");
  static final MacAddress ROUTER_MAC = MacAddress.parse("02:00:00:00:00:fe");
  static final IpAddress V4 = IpAddress.parse("10.0.0.1");
  static final IpAddress V6 = IpAddress.parse("fd00::1");
  static final IpAddress NONE = IpAddress.V4_UNSPECIFIED;
  static final IpAddress EVERYBODY = IpAddress.parse("255.255.255.255");

  private static final HostConfiguration CONFIGURATION =
      new HostConfiguration(
          List.of(IpAddress.parse("10.0.0.53"), IpAddress.parse("fd00::53")),
          List.of(
              route("0.0.0.0/0", "10.0.0.254"),
              route("172.16.0.0/12", "10.0.0.253"),
              route("::/0", "fd00::fe"),
              route("fd01::/48", "fd00::fe"),
              route("fd02::/48", "fd00::dead")),
          Duration.ofHours(1));

  private Hosts() {}

  private static Route route(String destination, String nextHop) {
    return new Route(Cidr.parse(destination), IpAddress.parse(nextHop));
  }

  /** With the default configuration. */
  static HostTerms plain(String... addresses) {
    return terms(HostConfiguration.DEFAULT, List.of(), addresses);
  }

  /** With name servers, routes, and a lease of an hour; fd00::fe is a port, fd00::dead is none. */
  static HostTerms configured(String... addresses) {
    return terms(CONFIGURATION, List.of(), addresses);
  }

  /** With the default configuration, in a network that has peerings. */
  static HostTerms peered(List<PeeringPolicy> peerings, String... addresses) {
    return terms(HostConfiguration.DEFAULT, peerings, addresses);
  }

  private static HostTerms terms(
      HostConfiguration hosts, List<PeeringPolicy> peerings, String... addresses) {
    NetworkPolicy network = Policies.network("acme/blue", 100, "10.0.0.0/24", "fd00::/64");
    return new HostTerms(
        Policies.localPort("acme/blue/web", "pf0vf0", MAC.toString(), addresses),
        new NetworkPolicy(network.name(), network.vni(), network.cidrs(), 1_450, hosts),
        peerings,
        Map.of(IpAddress.parse("fd00::fe"), ROUTER_MAC));
  }

  /** A DHCPv4 message of the host: type, address that it uses, options. */
  static Octets dhcpv4(int type, IpAddress ciaddr, byte[]... options) {
    return dhcpv4(MAC, 0, type, ciaddr, options);
  }

  static Octets dhcpv4(
      MacAddress chaddr, int flags, int type, IpAddress ciaddr, byte[]... options) {
    PacketWriter out = new PacketWriter();
    out.u32(0x0101_0600).u32(0x1234_5678).u16(0).u16(flags).put(ciaddr).zeros(12);
    out.put(chaddr).zeros(10 + 192).u32(0x6382_5363L);
    if (type > 0) {
      out.put(option(53, type));
    }
    Arrays.stream(options).forEach(out::put);
    out.u8(255);
    IpAddress to = ciaddr.isUnspecified() ? EVERYBODY : ServerIdentity.IPV4;
    return DatagramCodec.write(
        Datagram.udp(
            new Datagram.Link(MAC, MacAddress.BROADCAST),
            ciaddr,
            to,
            new Datagram.Content(68, 67, out.toOctets())));
  }

  static byte[] option(int code, int... value) {
    PacketWriter out = new PacketWriter().u8(code).u8(value.length);
    Arrays.stream(value).forEach(out::u8);
    return out.toBytes();
  }

  static byte[] option(int code, IpAddress value) {
    return new PacketWriter().u8(code).u8(4).put(value).toBytes();
  }

  /** A DHCPv6 message of the host. */
  static Octets dhcpv6(int type, Dhcpv6Message.Option... options) {
    Dhcpv6Message message = new Dhcpv6Message(type, 0x7b8403, List.of(options));
    return DatagramCodec.write(
        Datagram.udp(
            new Datagram.Link(MAC, MacAddress.parse("33:33:00:01:00:02")),
            MAC.linkLocal(),
            IpAddress.parse("ff02::1:2"),
            new Datagram.Content(546, 547, Dhcpv6Codec.write(message))));
  }

  /** The one frame of an answer of a kind. */
  static Datagram sent(Verdict.Kind kind, Verdict verdict) throws MalformedPacketException {
    if (verdict instanceof Verdict.Answered answered && answered.kind() == kind) {
      return DatagramCodec.read(answered.frames().get(0));
    }
    throw new AssertionError(verdict + " is no " + kind);
  }
}
