package io.gatehouse.agent.dhcp;

import static io.gatehouse.model.net.IpAddress.Family.V6;

import io.gatehouse.agent.flow.Octets;
import io.gatehouse.agent.state.ServerIdentity;
import io.gatehouse.model.HostConfiguration.Route;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Router advertisements (RFC 4861 §4.2): one of the DPU, which is no router, with MTU, prefixes and
 * name servers, and one in the name of each next hop, because a host takes the sender for the
 * router (docs/decisions/0070).
 */
public final class RouterAdvertiser {
  static final int SOLICITATION = 133;
  private static final int ADVERTISEMENT = 134;

  /** Addresses come by DHCPv6, and so does the rest. */
  private static final int MANAGED_AND_OTHER = 0xc0;

  private static final int ON_LINK = 0x80;
  private static final int HOP_LIMIT = 64;
  private static final long MAX_ROUTER_SECONDS = 65_535;

  private static final int SOURCE_ADDRESS = 1;
  private static final int PREFIX = 3;
  private static final int MTU = 5;
  private static final int ROUTE = 24;
  private static final int NAME_SERVERS = 25;

  private static final IpAddress ALL_NODES = IpAddress.parse("ff02::1");
  private static final MacAddress ALL_NODES_MAC = MacAddress.parse("33:33:00:00:00:01");

  private RouterAdvertiser() {}

  static Verdict answer(Datagram question, HostTerms terms) throws MalformedPacketException {
    PacketReader in = question.reader();
    int type = in.u8();
    int code = in.u8();
    if (type != SOLICITATION || code != 0 || question.hopLimit() != 255) {
      throw new MalformedPacketException("no router solicitation");
    }
    if (!terms.has(V6)) {
      return new Verdict.Dropped(Verdict.Reason.NO_ADDRESS);
    }
    List<Octets> frames = advertise(terms, question.link().from(), question.from());
    return new Verdict.Answered(Verdict.Kind.ROUTER_ADVERTISEMENT, frames);
  }

  /** What a host is told unasked. */
  public static List<Octets> advertise(HostTerms terms) {
    return advertise(terms, ALL_NODES_MAC, ALL_NODES);
  }

  private static List<Octets> advertise(HostTerms terms, MacAddress mac, IpAddress to) {
    List<Octets> frames = new ArrayList<>();
    PacketWriter own = start(0);
    own.u8(SOURCE_ADDRESS).u8(1).put(ServerIdentity.MAC);
    own.u8(MTU).u8(1).u16(0).u32(terms.network().mtuBytes());
    terms.prefixes(V6).forEach(prefix -> prefix(own, prefix, terms.leaseSeconds()));
    terms.peerPrefixes(V6).forEach(prefix -> prefix(own, prefix, terms.leaseSeconds()));
    nameServers(own, terms);
    frames.add(frame(own, new Datagram.Link(ServerIdentity.MAC, mac), to));
    Set<MacAddress> routers = new TreeSet<>();
    terms.routes(V6).forEach(route -> router(terms, route).ifPresent(routers::add));
    for (MacAddress router : routers) {
      frames.add(frame(ofRouter(terms, router), new Datagram.Link(router, mac), to));
    }
    return frames;
  }

  private static PacketWriter ofRouter(HostTerms terms, MacAddress router) {
    List<Route> routes =
        terms.routes(V6).stream()
            .filter(route -> router(terms, route).filter(router::equals).isPresent())
            .toList();
    boolean isDefault = routes.stream().anyMatch(r -> r.destination().prefixLength() == 0);
    long seconds = terms.leaseSeconds();
    PacketWriter out = start(isDefault ? Math.min(seconds, MAX_ROUTER_SECONDS) : 0);
    out.u8(SOURCE_ADDRESS).u8(1).put(router);
    routes.stream()
        .map(Route::destination)
        .filter(destination -> destination.prefixLength() > 0)
        .forEach(destination -> route(out, destination, seconds));
    return out;
  }

  private static Optional<MacAddress> router(HostTerms terms, Route route) {
    return Optional.ofNullable(terms.neighbours().get(route.nextHop()));
  }

  private static PacketWriter start(long routerSeconds) {
    PacketWriter out = new PacketWriter();
    out.u8(ADVERTISEMENT).u8(0).u16(0);
    out.u8(HOP_LIMIT).u8(MANAGED_AND_OTHER).u16((int) routerSeconds);
    return out.u32(0).u32(0);
  }

  /** On the link; no host makes an address of its own out of it. */
  private static void prefix(PacketWriter out, Cidr prefix, long seconds) {
    out.u8(PREFIX).u8(4).u8(prefix.prefixLength()).u8(ON_LINK);
    out.u32(seconds).u32(seconds).u32(0).put(prefix.address());
  }

  /** A more specific route (RFC 4191 §2.3). */
  private static void route(PacketWriter out, Cidr destination, long seconds) {
    out.u8(ROUTE).u8(3).u8(destination.prefixLength()).u8(0);
    out.u32(seconds).put(destination.address());
  }

  /** RFC 8106 §5.1. */
  private static void nameServers(PacketWriter out, HostTerms terms) {
    List<IpAddress> servers = terms.dnsServers(V6);
    if (servers.isEmpty()) {
      return;
    }
    out.u8(NAME_SERVERS).u8(1 + 2 * servers.size()).u16(0).u32(terms.leaseSeconds());
    servers.forEach(out::put);
  }

  private static Octets frame(PacketWriter message, Datagram.Link link, IpAddress to) {
    return DatagramCodec.write(
        Datagram.discovery(link, link.from().linkLocal(), to, message.toOctets()));
  }
}
