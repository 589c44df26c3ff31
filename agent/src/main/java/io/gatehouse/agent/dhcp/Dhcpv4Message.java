package io.gatehouse.agent.dhcp;

import io.gatehouse.agent.flow.Octets;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import java.util.Map;
import java.util.Optional;

/**
 * A client's DHCP message (RFC 2131 §2); what a server does not look at is left out.
 *
 * @param type option 53, 0 for BOOTP
 * @param ciaddr the address that the client uses already, or 0.0.0.0
 * @param giaddr the relay's address, or 0.0.0.0
 * @param options by code, those in several parts put together (RFC 3396)
 */
record Dhcpv4Message(
    int type,
    Header header,
    IpAddress ciaddr,
    IpAddress giaddr,
    MacAddress chaddr,
    Map<Integer, Octets> options) {
  static final int DISCOVER = 1;
  static final int OFFER = 2;
  static final int REQUEST = 3;
  static final int DECLINE = 4;
  static final int ACK = 5;
  static final int NAK = 6;
  static final int RELEASE = 7;
  static final int INFORM = 8;

  static final int SUBNET_MASK = 1;
  static final int ROUTER = 3;
  static final int DNS_SERVERS = 6;
  static final int INTERFACE_MTU = 26;
  static final int REQUESTED_ADDRESS = 50;
  static final int LEASE_TIME = 51;
  static final int MESSAGE_TYPE = 53;
  static final int SERVER_IDENTIFIER = 54;
  static final int RENEWAL_TIME = 58;
  static final int REBINDING_TIME = 59;
  static final int CLIENT_IDENTIFIER = 61;
  static final int CLASSLESS_ROUTES = 121;

  private static final int BROADCAST = 0x8000;

  /** What the answer repeats. */
  record Header(long xid, int flags) {}

  Dhcpv4Message {
    options = Map.copyOf(options);
  }

  boolean wantsBroadcast() {
    return (header.flags() & BROADCAST) != 0;
  }

  /** The value of an option that is an address. */
  Optional<IpAddress> address(int option) throws MalformedPacketException {
    Octets value = options.get(option);
    if (value == null) {
      return Optional.empty();
    }
    if (value.size() != 4) {
      throw new MalformedPacketException("option " + option + " of " + value.size() + " bytes");
    }
    return Optional.of(IpAddress.ofBytes(value.toBytes()));
  }
}
