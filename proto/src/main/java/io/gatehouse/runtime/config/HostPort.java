package io.gatehouse.runtime.config;

import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/**
 * A host and a port as people write them: {@code name:port}, {@code 192.0.2.1:port}, {@code
 * [2001:db8::1]:port}.
 *
 * @param host DNS name or address, without brackets
 * @param port 0..65535; as a place to listen, 0 lets the system choose
 */
public record HostPort(String host, int port) {
  private static final Pattern LABELS =
      Pattern.compile(
          "(?=.{1,253}$)[A-Za-z0-9_][A-Za-z0-9_-]{0,62}(\\.[A-Za-z0-9_][A-Za-z0-9_-]{0,62})*");
  private static final Pattern DIGITS_AND_DOTS = Pattern.compile("[0-9.]+");
  private static final Pattern PORT = Pattern.compile("0|[1-9][0-9]{0,4}");
  private static final int MAX_PORT = 65_535;

  public HostPort {
    if (host.indexOf(':') >= 0 || DIGITS_AND_DOTS.matcher(host).matches()) {
      host = IpAddress.parse(host).toString();
    } else if (!LABELS.matcher(host).matches()) {
      throw new InvalidValueException("host", host, "is neither an address nor a DNS name");
    }
    if (port < 0 || port > MAX_PORT) {
      throw new InvalidValueException("port", port, "is outside 0.." + MAX_PORT);
    }
  }

  /** Reads a host and a port; both must be there. */
  public static HostPort parse(String text) {
    int colon = text.lastIndexOf(':');
    String host = text.substring(0, Math.max(colon, 0));
    String port = text.substring(colon + 1);
    boolean brackets = host.startsWith("[") && host.endsWith("]");
    if (host.isEmpty() || !PORT.matcher(port).matches() || brackets != host.contains(":")) {
      throw new InvalidValueException(
          "address", text, "is not host:port, such as 192.0.2.1:8443 or [2001:db8::1]:8443");
    }
    String bare = brackets ? host.substring(1, host.length() - 1) : host;
    return new HostPort(bare, Integer.parseInt(port));
  }

  /** The address to listen on or connect to, if the host is an address and not a name. */
  public InetSocketAddress toSocketAddress() {
    try {
      byte[] bytes = IpAddress.parse(host).toBytes();
      return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address has 4 or 16 bytes", e);
    }
  }

  @Override
  public String toString() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
