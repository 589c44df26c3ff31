package io.gatehouse.agent.dhcp;

import static io.gatehouse.model.net.IpAddress.Family.V4;

import io.gatehouse.agent.flow.Octets;
import io.gatehouse.agent.state.ServerIdentity;
import io.gatehouse.model.HostConfiguration.Route;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import java.util.Arrays;
import java.util.List;

/** The options of an answer, from what the host is told. */
final class Dhcpv4Options {
  private Dhcpv4Options() {}

  /** What every answer starts with; the client's identifier comes back (RFC 6842). */
  static PacketWriter of(int type, Dhcpv4Message request) {
    PacketWriter out = new PacketWriter();
    Dhcpv4Codec.option(out, Dhcpv4Message.MESSAGE_TYPE, new byte[] {(byte) type});
    Dhcpv4Codec.option(out, Dhcpv4Message.SERVER_IDENTIFIER, ServerIdentity.IPV4.toBytes());
    Octets client = request.options().get(Dhcpv4Message.CLIENT_IDENTIFIER);
    if (client != null) {
      Dhcpv4Codec.option(out, Dhcpv4Message.CLIENT_IDENTIFIER, client.toBytes());
    }
    return out;
  }

  /** How long the address is the host's, and when to ask again (RFC 2131 §4.4.5). */
  static void lease(PacketWriter out, HostTerms terms) {
    long seconds = terms.leaseSeconds();
    seconds(out, Dhcpv4Message.LEASE_TIME, seconds);
    seconds(out, Dhcpv4Message.RENEWAL_TIME, seconds / 2);
    seconds(out, Dhcpv4Message.REBINDING_TIME, seconds * 7 / 8);
  }

  private static void seconds(PacketWriter out, int code, long seconds) {
    Dhcpv4Codec.option(out, code, new PacketWriter().u32(seconds).toBytes());
  }

  /** Mask, MTU, routes and name servers. */
  static void configuration(PacketWriter out, HostTerms terms, IpAddress address) {
    terms.prefixes(V4).stream()
        .filter(prefix -> prefix.contains(address))
        .findFirst()
        .ifPresent(
            prefix -> Dhcpv4Codec.option(out, Dhcpv4Message.SUBNET_MASK, mask(prefix).toBytes()));
    byte[] mtu = new PacketWriter().u16(terms.network().mtuBytes()).toBytes();
    Dhcpv4Codec.option(out, Dhcpv4Message.INTERFACE_MTU, mtu);
    List<Route> routes = terms.routes(V4);
    routes.stream()
        .filter(route -> route.destination().prefixLength() == 0)
        .findFirst()
        .ifPresent(
            route -> Dhcpv4Codec.option(out, Dhcpv4Message.ROUTER, route.nextHop().toBytes()));
    Dhcpv4Codec.option(
        out, Dhcpv4Message.CLASSLESS_ROUTES, classless(routes, terms.peerPrefixes(V4)));
    List<IpAddress> servers = terms.dnsServers(V4);
    if (!servers.isEmpty()) {
      PacketWriter list = new PacketWriter();
      servers.forEach(list::put);
      Dhcpv4Codec.option(out, Dhcpv4Message.DNS_SERVERS, list.toBytes());
    }
  }

  private static IpAddress mask(Cidr prefix) {
    return IpAddress.ofV4(0xffff_ffffL << (32 - prefix.prefixLength()) & 0xffff_ffffL);
  }

  /**
   * All routes, the default route too, because who reads this option does not look at the other
   * (RFC 3442); and what is on the link beside the network: the peers, and the server, so that a
   * host can renew.
   */
  private static byte[] classless(List<Route> routes, List<Cidr> onLink) {
    PacketWriter out = new PacketWriter();
    routes.forEach(route -> classless(out, route.destination(), route.nextHop()));
    onLink.forEach(prefix -> classless(out, prefix, IpAddress.V4_UNSPECIFIED));
    classless(out, new Cidr(ServerIdentity.IPV4, V4.bits()), IpAddress.V4_UNSPECIFIED);
    return out.toBytes();
  }

  private static void classless(PacketWriter out, Cidr destination, IpAddress nextHop) {
    int length = destination.prefixLength();
    byte[] significant = Arrays.copyOf(destination.address().toBytes(), (length + 7) / 8);
    out.u8(length).put(significant).put(nextHop);
  }
}
