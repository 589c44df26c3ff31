package io.gatehouse.agent.dhcp;

import static io.gatehouse.model.net.IpAddress.V4_UNSPECIFIED;

import io.gatehouse.agent.flow.Octets;
import io.gatehouse.agent.state.ServerIdentity;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import java.util.List;
import java.util.Optional;

/**
 * Answers a client's message out of the policy (RFC 2131 §4.3). There are no leases to keep: an
 * address is the port's for as long as the policy says so.
 */
final class Dhcpv4Server {
  static final int SERVER_PORT = 67;
  static final int CLIENT_PORT = 68;

  private static final IpAddress EVERYBODY = IpAddress.parse("255.255.255.255");

  private final Datagram question;
  private final Dhcpv4Message request;
  private final HostTerms terms;
  private final List<IpAddress> addresses;

  private Dhcpv4Server(Datagram question, Dhcpv4Message request, HostTerms terms) {
    this.question = question;
    this.request = request;
    this.terms = terms;
    this.addresses = terms.addresses(IpAddress.Family.V4);
  }

  static Verdict answer(Datagram question, HostTerms terms) throws MalformedPacketException {
    Dhcpv4Message request = Dhcpv4Codec.read(question.reader());
    return new Dhcpv4Server(question, request, terms).answer();
  }

  private Verdict answer() throws MalformedPacketException {
    if (!request.chaddr().equals(terms.mac())) {
      return new Verdict.Dropped(Verdict.Reason.FOREIGN);
    }
    if (!request.giaddr().isUnspecified()) {
      return new Verdict.Dropped(Verdict.Reason.RELAYED);
    }
    if (addresses.isEmpty()) {
      return new Verdict.Dropped(Verdict.Reason.NO_ADDRESS);
    }
    Optional<IpAddress> server = request.address(Dhcpv4Message.SERVER_IDENTIFIER);
    if (server.isPresent() && !server.get().equals(ServerIdentity.IPV4)) {
      return new Verdict.Dropped(Verdict.Reason.OTHER_SERVER);
    }
    return switch (request.type()) {
      case 0 -> new Verdict.Dropped(Verdict.Reason.BOOTP);
      case Dhcpv4Message.DISCOVER -> discovered();
      case Dhcpv4Message.REQUEST -> requested();
      case Dhcpv4Message.INFORM -> informed();
      case Dhcpv4Message.DECLINE -> new Verdict.Dropped(Verdict.Reason.DECLINED);
      case Dhcpv4Message.RELEASE -> new Verdict.Dropped(Verdict.Reason.RELEASED);
      default -> new Verdict.Dropped(Verdict.Reason.UNSUPPORTED);
    };
  }

  private Verdict discovered() throws MalformedPacketException {
    IpAddress offered =
        request
            .address(Dhcpv4Message.REQUESTED_ADDRESS)
            .filter(addresses::contains)
            .orElse(addresses.get(0));
    return leased(Dhcpv4Message.OFFER, Verdict.Kind.DHCPV4_OFFER, offered);
  }

  /** Selecting and rebooting name the address in an option, renewing and rebinding in a field. */
  private Verdict requested() throws MalformedPacketException {
    Optional<IpAddress> option = request.address(Dhcpv4Message.REQUESTED_ADDRESS);
    IpAddress wanted = option.orElse(request.ciaddr());
    if (wanted.isUnspecified()) {
      throw new MalformedPacketException("a request for no address");
    }
    if (!addresses.contains(wanted)) {
      return refused();
    }
    return leased(Dhcpv4Message.ACK, Verdict.Kind.DHCPV4_ACK, wanted);
  }

  private Verdict leased(int type, Verdict.Kind kind, IpAddress address) {
    PacketWriter options = Dhcpv4Options.of(type, request);
    Dhcpv4Options.lease(options, terms);
    Dhcpv4Options.configuration(options, terms, address);
    IpAddress ciaddr = type == Dhcpv4Message.ACK ? request.ciaddr() : V4_UNSPECIFIED;
    return reply(kind, ciaddr, address, options);
  }

  /** The host has an address already, and asks for the rest. */
  private Verdict informed() {
    if (!addresses.contains(request.ciaddr())) {
      return new Verdict.Dropped(Verdict.Reason.FOREIGN);
    }
    PacketWriter options = Dhcpv4Options.of(Dhcpv4Message.ACK, request);
    Dhcpv4Options.configuration(options, terms, request.ciaddr());
    return reply(Verdict.Kind.DHCPV4_ACK, request.ciaddr(), V4_UNSPECIFIED, options);
  }

  /** To everybody on the link, which is the host alone: it may not use the address it has. */
  private Verdict refused() {
    PacketWriter options = Dhcpv4Options.of(Dhcpv4Message.NAK, request);
    return send(
        Verdict.Kind.DHCPV4_NAK,
        EVERYBODY,
        Dhcpv4Codec.write(request, V4_UNSPECIFIED, V4_UNSPECIFIED, options));
  }

  private Verdict reply(
      Verdict.Kind kind, IpAddress ciaddr, IpAddress yiaddr, PacketWriter options) {
    return send(kind, receiver(yiaddr), Dhcpv4Codec.write(request, ciaddr, yiaddr, options));
  }

  /** Where an answer goes (RFC 2131 §4.1). */
  private IpAddress receiver(IpAddress yiaddr) {
    if (addresses.contains(request.ciaddr())) {
      return request.ciaddr();
    }
    return request.wantsBroadcast() ? EVERYBODY : yiaddr;
  }

  private Verdict send(Verdict.Kind kind, IpAddress to, Octets message) {
    MacAddress mac = to.equals(EVERYBODY) ? MacAddress.BROADCAST : question.link().from();
    return Verdict.answered(
        kind,
        Datagram.udp(
            new Datagram.Link(ServerIdentity.MAC, mac),
            ServerIdentity.IPV4,
            to,
            new Datagram.Content(SERVER_PORT, CLIENT_PORT, message)));
  }
}
