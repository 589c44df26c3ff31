package io.gatehouse.agent.dhcp;

import static io.gatehouse.model.net.IpAddress.Family.V6;

import io.gatehouse.agent.flow.Octets;
import io.gatehouse.model.net.IpAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * What a client calls a set of its addresses (IA_NA, RFC 8415 §21.4).
 *
 * @param id the client's own number
 * @param addresses those that it names
 */
record IdentityAssociation(long id, List<IpAddress> addresses) {
  static final int SUCCESS = 0;
  static final int NO_ADDRESSES = 2;
  static final int NOT_ON_LINK = 4;

  IdentityAssociation {
    addresses = List.copyOf(addresses);
  }

  static List<IdentityAssociation> of(Dhcpv6Message message) throws MalformedPacketException {
    List<IdentityAssociation> found = new ArrayList<>();
    for (Octets value : message.all(Dhcpv6Message.IA_NA)) {
      found.add(read(new PacketReader(value.toBytes())));
    }
    return found;
  }

  private static IdentityAssociation read(PacketReader in) throws MalformedPacketException {
    long id = in.u32();
    List<IpAddress> addresses = new ArrayList<>();
    for (Dhcpv6Message.Option option : Dhcpv6Codec.readOptions(in.skip(8))) {
      if (option.code() == Dhcpv6Message.IA_ADDRESS) {
        addresses.add(new PacketReader(option.value().toBytes()).ipv6());
      }
    }
    return new IdentityAssociation(id, addresses);
  }

  /** All of the host's addresses, and an end to others that the client has named. */
  Dhcpv6Message.Option granted(HostTerms terms) {
    long seconds = terms.leaseSeconds();
    List<IpAddress> own = terms.addresses(V6);
    PacketWriter out = new PacketWriter().u32(id).u32(seconds / 2).u32(seconds * 4 / 5);
    own.forEach(address -> address(out, address, seconds));
    addresses.stream().filter(a -> !own.contains(a)).distinct().forEach(a -> address(out, a, 0));
    return new Dhcpv6Message.Option(Dhcpv6Message.IA_NA, out.toOctets());
  }

  private static void address(PacketWriter out, IpAddress address, long seconds) {
    PacketWriter value = new PacketWriter().put(address).u32(seconds).u32(seconds);
    Dhcpv6Codec.write(out, new Dhcpv6Message.Option(Dhcpv6Message.IA_ADDRESS, value.toOctets()));
  }

  Dhcpv6Message.Option refused(int status) {
    PacketWriter out = new PacketWriter().u32(id).u32(0).u32(0);
    Dhcpv6Codec.write(out, status(status));
    return new Dhcpv6Message.Option(Dhcpv6Message.IA_NA, out.toOctets());
  }

  static Dhcpv6Message.Option status(int code) {
    return new Dhcpv6Message.Option(
        Dhcpv6Message.STATUS_CODE, new PacketWriter().u16(code).toOctets());
  }
}
