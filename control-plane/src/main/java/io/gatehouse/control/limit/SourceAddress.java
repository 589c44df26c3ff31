package io.gatehouse.control.limit;

import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Grpc;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * Where a connection or a call comes from.
 *
 * @param text the address, for people
 * @param group what is limited together: the address, or the /64 of an IPv6 address, which one host
 *     has for itself
 */
public record SourceAddress(String text, String group) {
  /** Where an interceptor puts it. */
  public static final Context.Key<SourceAddress> KEY = Context.key("gatehouse-source-address");

  private static final SourceAddress UNKNOWN = new SourceAddress("unknown", "unknown");
  private static final String ACTOR = "address/";
  private static final int NETWORK_BYTES = 8;
  private static final int NETWORK_PARTS = 4;

  /** The address of a transport's peer. */
  public static SourceAddress of(Attributes transport) {
    SocketAddress remote = transport.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
    return remote instanceof InetSocketAddress socket && socket.getAddress() != null
        ? of(socket.getAddress())
        : UNKNOWN;
  }

  public static SourceAddress of(InetAddress address) {
    String text = address.getHostAddress();
    if (address instanceof Inet6Address) {
      byte[] network = Arrays.copyOf(address.getAddress(), NETWORK_BYTES);
      return new SourceAddress(text, HexFormat.of().formatHex(network));
    }
    return new SourceAddress(text, text);
  }

  /** The address of the current call. */
  public static SourceAddress current() {
    SourceAddress known = KEY.get();
    return known == null ? UNKNOWN : known;
  }

  /** As an actor of the audit. */
  public String actor() {
    return ACTOR + text;
  }

  /**
   * What an actor of the audit is counted with: itself, or for an IPv6 address its /64, written as
   * {@code address/2001:db8:0:1::/64}.
   */
  public static String actorGroup(String actor) {
    if (!actor.startsWith(ACTOR) || actor.indexOf(':') < 0) {
      return actor;
    }
    // As Java writes it: eight parts, none left out.
    String[] parts = actor.split(":", NETWORK_PARTS + 1);
    return parts.length <= NETWORK_PARTS
        ? actor
        : String.join(":", List.of(parts).subList(0, NETWORK_PARTS)) + "::/64";
  }
}
