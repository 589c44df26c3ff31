package io.gatehouse.agent.device.ovsdb;

import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;
import java.nio.charset.StandardCharsets;

/**
 * Where an ovsdb-server listens, in the syntax of ovsdb(7), "Connection Methods". Hosts are
 * addresses and not names: a name would need a resolver, which may block and may lie.
 */
public sealed interface OvsdbAddress {

  /** A socket of this machine; its directory's permissions are the access control. */
  record Unix(String path) implements OvsdbAddress {
    /** Size of {@code sun_path} in Linux, in bytes, with the closing zero. */
    private static final int PATH_BYTES = 108;

    public Unix {
      if (!path.startsWith("/")) {
        throw new InvalidValueException("address", "unix:" + path, "has no absolute path");
      }
      if (path.getBytes(StandardCharsets.UTF_8).length >= PATH_BYTES) {
        throw new InvalidValueException("address", "unix:" + path, "is longer than 107 bytes");
      }
      if (path.indexOf('\0') >= 0) {
        throw new InvalidValueException("address", "unix:" + path, "contains a zero byte");
      }
    }

    @Override
    public String toString() {
      return "unix:" + path;
    }
  }

  /** Clear text, for loopback. */
  record Tcp(IpAddress host, int port) implements OvsdbAddress {
    public Tcp {
      requirePort(port);
    }

    @Override
    public String toString() {
      return "tcp:" + bracketed(host) + ":" + port;
    }
  }

  /** TLS; which certificates are used and trusted is the caller's {@code SslContext}. */
  record Tls(IpAddress host, int port) implements OvsdbAddress {
    public Tls {
      requirePort(port);
    }

    @Override
    public String toString() {
      return "ssl:" + bracketed(host) + ":" + port;
    }
  }

  /** Reads {@code unix:/path}, {@code tcp:host:port}, {@code ssl:host:port}; IPv6 in brackets. */
  static OvsdbAddress parse(String text) {
    if (text.startsWith("unix:")) {
      return new Unix(text.substring("unix:".length()));
    }
    if (text.startsWith("tcp:")) {
      return new Tcp(host(text), port(text));
    }
    if (text.startsWith("ssl:")) {
      return new Tls(host(text), port(text));
    }
    throw new InvalidValueException("address", text, "does not start with unix:, tcp: or ssl:");
  }

  private static IpAddress host(String text) {
    int end = text.lastIndexOf(':');
    if (end < "tcp:".length()) {
      throw new InvalidValueException("address", text, "has no port after the host");
    }
    String host = text.substring("tcp:".length(), end);
    boolean brackets = host.startsWith("[") && host.endsWith("]");
    if (!brackets && host.indexOf(':') >= 0) {
      throw new InvalidValueException("address", text, "needs [ ] around the IPv6 address");
    }
    try {
      IpAddress address = IpAddress.parse(brackets ? host.substring(1, host.length() - 1) : host);
      if (address.isV6() != brackets) {
        throw new InvalidValueException("address", text, "has an IPv4 address in [ ]");
      }
      return address;
    } catch (InvalidValueException e) {
      if (e.field().equals("address")) {
        throw e;
      }
      throw new InvalidValueException("address", text, "has a host that is not an IP address");
    }
  }

  private static int port(String text) {
    String port = text.substring(text.lastIndexOf(':') + 1);
    boolean digits = !port.isEmpty() && port.chars().allMatch(c -> c >= '0' && c <= '9');
    if (!digits || port.length() > 5) {
      throw new InvalidValueException("address", text, "has a port that is not a number");
    }
    return Integer.parseInt(port);
  }

  private static void requirePort(int port) {
    if (port < 1 || port > 0xffff) {
      throw new InvalidValueException("address.port", port, "is outside 1..65535");
    }
  }

  private static String bracketed(IpAddress host) {
    return host.isV6() ? "[" + host + "]" : host.toString();
  }
}
