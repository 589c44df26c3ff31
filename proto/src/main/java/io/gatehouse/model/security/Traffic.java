package io.gatehouse.model.security;

import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;
import java.util.OptionalInt;

/** Which packets open a connection, whoever sends them. */
public sealed interface Traffic {
  /** Refuses an address family in which there is no such traffic. */
  default void checkFamily(IpAddress.Family family) {}

  /** Every IP packet, of both families. */
  record Any() implements Traffic {}

  /**
   * Packets to some ports of a transport protocol.
   *
   * @param firstPort 1 to 65535
   * @param lastPort not below the first
   */
  record Ports(Transport transport, int firstPort, int lastPort) implements Traffic {
    public static final int MAX_PORT = 65_535;

    public Ports {
      if (firstPort < 1 || firstPort > MAX_PORT) {
        throw new InvalidValueException("port_min", firstPort, "is outside 1.." + MAX_PORT);
      }
      if (lastPort < firstPort || lastPort > MAX_PORT) {
        throw new InvalidValueException(
            "port_max", lastPort, "is outside " + firstPort + ".." + MAX_PORT);
      }
    }

    public boolean isEveryPort() {
      return firstPort == 1 && lastPort == MAX_PORT;
    }
  }

  /** Protocols with ports. */
  enum Transport {
    TCP(6),
    UDP(17),
    SCTP(132);

    private final int protocol;

    Transport(int protocol) {
      this.protocol = protocol;
    }

    /** The number of the protocol in the IP header. */
    public int protocol() {
      return protocol;
    }
  }

  /**
   * ICMP (RFC 792) in IPv4, ICMPv6 (RFC 4443) in IPv6.
   *
   * @param type 0 to 255; empty: all
   * @param code 0 to 255; empty: all; never given without a type
   */
  record Icmp(IpAddress.Family family, OptionalInt type, OptionalInt code) implements Traffic {
    public Icmp {
      octet("icmp_type", type);
      octet("icmp_code", code);
      if (code.isPresent() && type.isEmpty()) {
        throw new InvalidValueException("icmp_code", code.getAsInt(), "needs an icmp_type");
      }
    }

    @Override
    public void checkFamily(IpAddress.Family remote) {
      if (remote != family) {
        throw new InvalidValueException(
            "protocol", family == IpAddress.Family.V4 ? "icmp" : "icmpv6", "is not of " + remote);
      }
    }

    private static void octet(String field, OptionalInt value) {
      if (value.isPresent() && (value.getAsInt() < 0 || value.getAsInt() > 255)) {
        throw new InvalidValueException(field, value.getAsInt(), "is outside 0..255");
      }
    }
  }

  /** Every packet of a protocol, by its number in the IP header, 0 to 255. */
  record Protocol(int number) implements Traffic {
    public Protocol {
      if (number < 0 || number > 255) {
        throw new InvalidValueException("protocol", number, "is outside 0..255");
      }
    }
  }
}
