package io.gatehouse.agent.device.netlink;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.agent.device.netlink.Link.AdminState;
import io.gatehouse.agent.device.netlink.Link.OperState;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages of the kernel to links, addresses and routes. Pure; what the message does not hold is a
 * {@link DeviceException} of kind PROTOCOL, what the agent has no use for is an empty list.
 */
final class RtnetlinkReader {
  private static final int LINK_BYTES = 16;
  private static final int ADDRESS_BYTES = 8;
  private static final int ROUTE_BYTES = 12;
  private static final int NEXT_HOP_BYTES = 8;
  private static final int MAC_BYTES = 6;

  private RtnetlinkReader() {}

  /** RTM_NEWLINK: struct ifinfomsg and IFLA_* attributes. */
  static List<Link> links(NetlinkMessage message) throws DeviceException {
    if (message.type() != Rtnetlink.NEW_LINK) {
      return List.of();
    }
    ByteBuffer payload = fixed(message, LINK_BYTES);
    int flags = payload.getInt(8);
    NetlinkAttributes attributes = rest(payload, LINK_BYTES);
    byte[] mac = attributes.bytes(Rtnetlink.LINK_MAC);
    String name = attributes.text(Rtnetlink.LINK_NAME);
    if (name == null) {
      throw new DeviceException(Kind.PROTOCOL, "netlink: link without a name");
    }
    int lowerUp = (flags & Rtnetlink.LINK_LOWER_UP) != 0 ? 1 : 0;
    return List.of(
        new Link(
            payload.getInt(4),
            name,
            attributes.number(Rtnetlink.LINK_MTU, 0),
            mac != null && mac.length == MAC_BYTES ? mac(mac) : null,
            (flags & Rtnetlink.LINK_UP) != 0 ? AdminState.UP : AdminState.DOWN,
            operState(attributes.number(Rtnetlink.LINK_OPER_STATE, 0)),
            attributes.number(Rtnetlink.LINK_CARRIER, lowerUp) != 0,
            attributes.nested(Rtnetlink.LINK_INFO).text(Rtnetlink.LINK_INFO_KIND),
            attributes.number(Rtnetlink.LINK_MASTER, 0),
            attributes.number(Rtnetlink.LINK_LOWER, 0),
            attributes.text(Rtnetlink.LINK_PHYS_PORT_NAME),
            attributes.hex(Rtnetlink.LINK_PHYS_SWITCH_ID)));
  }

  /** RTM_NEWADDR: struct ifaddrmsg and IFA_* attributes. */
  static List<LinkAddress> addresses(NetlinkMessage message) throws DeviceException {
    if (message.type() != Rtnetlink.NEW_ADDRESS) {
      return List.of();
    }
    ByteBuffer payload = fixed(message, ADDRESS_BYTES);
    if (family(payload.get(0)) == null) {
      return List.of();
    }
    NetlinkAttributes attributes = rest(payload, ADDRESS_BYTES);
    // On a point-to-point link ADDRESS is the peer's, and LOCAL is ours.
    byte[] address = attributes.bytes(Rtnetlink.ADDRESS_LOCAL);
    if (address == null) {
      address = attributes.bytes(Rtnetlink.ADDRESS_ADDRESS);
    }
    if (address == null) {
      throw new DeviceException(Kind.PROTOCOL, "netlink: address message without an address");
    }
    return List.of(
        new LinkAddress(
            payload.getInt(4), IpAddress.ofBytes(address), Byte.toUnsignedInt(payload.get(1))));
  }

  /** RTM_NEWROUTE: struct rtmsg and RTA_* attributes; unicast routes of the main table only. */
  static List<Route> routes(NetlinkMessage message) throws DeviceException {
    if (message.type() != Rtnetlink.NEW_ROUTE) {
      return List.of();
    }
    ByteBuffer payload = fixed(message, ROUTE_BYTES);
    IpAddress.Family family = family(payload.get(0));
    boolean unicast = Byte.toUnsignedInt(payload.get(7)) == Rtnetlink.ROUTE_UNICAST;
    boolean cached = (payload.getInt(8) & Rtnetlink.ROUTE_FLAG_CLONED) != 0;
    NetlinkAttributes attributes = rest(payload, ROUTE_BYTES);
    int table = attributes.number(Rtnetlink.ROUTE_TABLE, Byte.toUnsignedInt(payload.get(4)));
    if (family == null || !unicast || cached || table != Rtnetlink.TABLE_MAIN) {
      return List.of();
    }
    byte[] destination = attributes.bytes(Rtnetlink.ROUTE_DESTINATION);
    IpAddress first =
        destination != null ? IpAddress.ofBytes(destination) : IpAddress.unspecified(family);
    Cidr prefix = new Cidr(first, Byte.toUnsignedInt(payload.get(1)));
    ByteBuffer hops = attributes.find(Rtnetlink.ROUTE_MULTIPATH);
    if (hops != null) {
      return multipath(prefix, hops);
    }
    // A route by a next-hop object that the kernel does not spell out has no device of its own.
    int link = attributes.number(Rtnetlink.ROUTE_OUT_LINK, 0);
    return link == 0 ? List.of() : List.of(new Route(prefix, gateway(attributes), link));
  }

  private static List<Route> multipath(Cidr prefix, ByteBuffer hops) throws DeviceException {
    List<Route> routes = new ArrayList<>();
    ByteBuffer rest = NetlinkCodec.view(hops);
    while (rest.hasRemaining()) {
      if (rest.remaining() < NEXT_HOP_BYTES) {
        throw NetlinkAttributes.malformed("next hop", NEXT_HOP_BYTES, rest.remaining());
      }
      int length = Short.toUnsignedInt(rest.getShort(rest.position()));
      if (length < NEXT_HOP_BYTES || length > rest.remaining()) {
        throw NetlinkAttributes.malformed("next hop", length, rest.remaining());
      }
      ByteBuffer hop = NetlinkCodec.slice(rest, rest.position(), length);
      routes.add(new Route(prefix, gateway(rest(hop, NEXT_HOP_BYTES)), hop.getInt(4)));
      NetlinkCodec.skip(rest, length);
    }
    return routes;
  }

  private static @Nullable IpAddress gateway(NetlinkAttributes attributes) throws DeviceException {
    byte[] gateway = attributes.bytes(Rtnetlink.ROUTE_GATEWAY);
    if (gateway != null) {
      return IpAddress.ofBytes(gateway);
    }
    ByteBuffer via = attributes.find(Rtnetlink.ROUTE_VIA);
    if (via == null) {
      return null;
    }
    if (via.remaining() < 2) {
      throw NetlinkAttributes.malformed("gateway", 2, via.remaining());
    }
    return IpAddress.ofBytes(NetlinkCodec.copy(NetlinkCodec.slice(via, 2, via.remaining() - 2)));
  }

  private static ByteBuffer fixed(NetlinkMessage message, int length) throws DeviceException {
    ByteBuffer payload = message.payload();
    if (payload.remaining() < length) {
      throw NetlinkAttributes.malformed(
          "message of type " + message.type(), length, payload.remaining());
    }
    return NetlinkCodec.slice(payload, payload.position(), payload.remaining());
  }

  private static NetlinkAttributes rest(ByteBuffer payload, int from) throws DeviceException {
    return NetlinkAttributes.parse(NetlinkCodec.slice(payload, from, payload.limit() - from));
  }

  private static MacAddress mac(byte[] bytes) {
    long bits = 0;
    for (byte b : bytes) {
      bits = bits << 8 | (b & 0xff);
    }
    return new MacAddress(bits);
  }

  private static OperState operState(int number) {
    OperState[] states = OperState.values();
    return number >= 0 && number < states.length ? states[number] : OperState.UNKNOWN;
  }

  private static IpAddress.@Nullable Family family(byte number) {
    for (IpAddress.Family family : IpAddress.Family.values()) {
      if (Rtnetlink.number(family) == number) {
        return family;
      }
    }
    return null;
  }
}
