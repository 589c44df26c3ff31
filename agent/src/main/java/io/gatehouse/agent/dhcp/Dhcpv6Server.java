package io.gatehouse.agent.dhcp;

import static io.gatehouse.model.net.IpAddress.Family.V6;

import io.gatehouse.agent.flow.Octets;
import io.gatehouse.agent.state.ServerIdentity;
import io.gatehouse.model.net.IpAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Answers a client's message out of the policy (RFC 8415 §18.3). There are no bindings to keep: the
 * first association of a message gets all addresses of the port, whatever its number.
 */
final class Dhcpv6Server {
  static final int SERVER_PORT = 547;
  static final int CLIENT_PORT = 546;

  /** The server's identifier: DUID-LL (RFC 8415 §11.4). */
  private static final Octets DUID =
      new PacketWriter().u16(3).u16(1).put(ServerIdentity.MAC).toOctets();

  /** The client need not wait for a better server: there is none. */
  private static final byte BEST = (byte) 255;

  private final Datagram question;
  private final Dhcpv6Message request;
  private final HostTerms terms;
  private final List<IdentityAssociation> associations;

  private Dhcpv6Server(Datagram question, Dhcpv6Message request, HostTerms terms)
      throws MalformedPacketException {
    this.question = question;
    this.request = request;
    this.terms = terms;
    this.associations = IdentityAssociation.of(request);
  }

  static Verdict answer(Datagram question, HostTerms terms) throws MalformedPacketException {
    Dhcpv6Message request = Dhcpv6Codec.read(question.reader());
    return new Dhcpv6Server(question, request, terms).answer();
  }

  private Verdict answer() throws MalformedPacketException {
    if (!terms.has(V6)) {
      return new Verdict.Dropped(Verdict.Reason.NO_ADDRESS);
    }
    checkIdentifiers();
    Optional<Octets> server = request.option(Dhcpv6Message.SERVER_ID);
    if (server.isPresent() && !server.get().equals(DUID)) {
      return new Verdict.Dropped(Verdict.Reason.OTHER_SERVER);
    }
    return switch (request.type()) {
      case Dhcpv6Message.SOLICIT -> solicited();
      case Dhcpv6Message.REQUEST -> reply(configured(requested()));
      case Dhcpv6Message.RENEW, Dhcpv6Message.REBIND -> reply(configured(granted()));
      case Dhcpv6Message.CONFIRM -> confirmed();
      case Dhcpv6Message.INFORMATION_REQUEST -> reply(configured(List.of()));
      case Dhcpv6Message.RELEASE ->
          reply(List.of(IdentityAssociation.status(IdentityAssociation.SUCCESS)));
      case Dhcpv6Message.DECLINE -> new Verdict.Dropped(Verdict.Reason.DECLINED);
      default -> new Verdict.Dropped(Verdict.Reason.UNSUPPORTED);
    };
  }

  /** Which messages must name client and server, and which must not (RFC 8415 §16). */
  private void checkIdentifiers() throws MalformedPacketException {
    boolean client = request.has(Dhcpv6Message.CLIENT_ID);
    boolean server = request.has(Dhcpv6Message.SERVER_ID);
    boolean right =
        switch (request.type()) {
          case Dhcpv6Message.SOLICIT, Dhcpv6Message.CONFIRM, Dhcpv6Message.REBIND ->
              client && !server;
          case Dhcpv6Message.REQUEST,
              Dhcpv6Message.RENEW,
              Dhcpv6Message.RELEASE,
              Dhcpv6Message.DECLINE ->
              client && server;
          case Dhcpv6Message.INFORMATION_REQUEST -> associations.isEmpty();
          default -> true;
        };
    if (!right) {
      throw new MalformedPacketException("identifiers that message " + request.type() + " forbids");
    }
  }

  private Verdict solicited() {
    List<Dhcpv6Message.Option> options = configured(granted());
    if (request.has(Dhcpv6Message.RAPID_COMMIT)) {
      options.add(new Dhcpv6Message.Option(Dhcpv6Message.RAPID_COMMIT, Octets.EMPTY));
      return reply(options);
    }
    options.add(new Dhcpv6Message.Option(Dhcpv6Message.PREFERENCE, Octets.of(BEST)));
    return send(Dhcpv6Message.ADVERTISE, Verdict.Kind.DHCPV6_ADVERTISE, options);
  }

  /** Whoever asks for an address of another link is told so, and starts anew. */
  private List<Dhcpv6Message.Option> requested() {
    boolean elsewhere =
        associations.stream().flatMap(one -> one.addresses().stream()).anyMatch(a -> !isOnLink(a));
    return elsewhere
        ? associations.stream().map(a -> a.refused(IdentityAssociation.NOT_ON_LINK)).toList()
        : granted();
  }

  private List<Dhcpv6Message.Option> granted() {
    List<Dhcpv6Message.Option> options = new ArrayList<>();
    for (IdentityAssociation association : associations) {
      options.add(
          options.isEmpty()
              ? association.granted(terms)
              : association.refused(IdentityAssociation.NO_ADDRESSES));
    }
    return options;
  }

  /** Whether the addresses that a host still has are right where it is now (§18.3.3). */
  private Verdict confirmed() throws MalformedPacketException {
    List<IpAddress> named = associations.stream().flatMap(a -> a.addresses().stream()).toList();
    if (named.isEmpty()) {
      throw new MalformedPacketException("a confirmation of no address");
    }
    boolean own = terms.addresses(V6).containsAll(named);
    int status = own ? IdentityAssociation.SUCCESS : IdentityAssociation.NOT_ON_LINK;
    return reply(List.of(IdentityAssociation.status(status)));
  }

  private boolean isOnLink(IpAddress address) {
    return terms.prefixes(V6).stream().anyMatch(prefix -> prefix.contains(address))
        || terms.addresses(V6).contains(address);
  }

  private List<Dhcpv6Message.Option> configured(List<Dhcpv6Message.Option> addresses) {
    List<Dhcpv6Message.Option> options = new ArrayList<>(addresses);
    List<IpAddress> servers = terms.dnsServers(V6);
    if (!servers.isEmpty()) {
      PacketWriter list = new PacketWriter();
      servers.forEach(list::put);
      options.add(new Dhcpv6Message.Option(Dhcpv6Message.DNS_SERVERS, list.toOctets()));
    }
    return options;
  }

  private Verdict reply(List<Dhcpv6Message.Option> options) {
    return send(Dhcpv6Message.REPLY, Verdict.Kind.DHCPV6_REPLY, options);
  }

  private Verdict send(int type, Verdict.Kind kind, List<Dhcpv6Message.Option> rest) {
    List<Dhcpv6Message.Option> options = new ArrayList<>();
    options.add(new Dhcpv6Message.Option(Dhcpv6Message.SERVER_ID, DUID));
    request
        .option(Dhcpv6Message.CLIENT_ID)
        .ifPresent(id -> options.add(new Dhcpv6Message.Option(Dhcpv6Message.CLIENT_ID, id)));
    options.addAll(rest);
    return Verdict.answered(
        kind,
        Datagram.udp(
            new Datagram.Link(ServerIdentity.MAC, question.link().from()),
            ServerIdentity.LINK_LOCAL,
            question.from(),
            new Datagram.Content(
                SERVER_PORT,
                CLIENT_PORT,
                Dhcpv6Codec.write(new Dhcpv6Message(type, request.transaction(), options)))));
  }
}
