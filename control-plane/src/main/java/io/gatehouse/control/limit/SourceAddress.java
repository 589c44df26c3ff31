package io.gatehouse.control.identity;

import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Grpc;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Where a call without a certificate comes from.
 *
 * @param text the address, for people
 * @param group what is limited together: the address, or the /64 of an IPv6 address
 */
record SourceAddress(String text, String group) {
  static final Context.Key<SourceAddress> KEY = Context.key("gatehouse-source-address");
  private static final SourceAddress UNKNOWN = new SourceAddress("unknown", "unknown");
  private static final int NETWORK_BYTES = 8;

  static SourceAddress of(Attributes transport) {
    SocketAddress remote = transport.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
    if (!(remote instanceof InetSocketAddress socket) || socket.getAddress() == null) {
      return UNKNOWN;
    }
    String text = socket.getAddress().getHostAddress();
    if (socket.getAddress() instanceof Inet6Address address) {
      byte[] network = Arrays.copyOf(address.getAddress(), NETWORK_BYTES);
      return new SourceAddress(text, HexFormat.of().formatHex(network));
    }
    return new SourceAddress(text, text);
  }

  /** The address of the current call. */
  static SourceAddress current() {
    SourceAddress known = KEY.get();
    return known == null ? UNKNOWN : known;
  }

  /** As an actor of the audit. */
  String actor() {
    return "address/" + text;
  }
}
