package io.gatehouse.agent.prove;

import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.walk.Packet;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.policy.LocalPortPolicy;
import java.util.stream.Stream;

/**
 * What a host asks its DPU: DHCP (RFC 2131, RFC 8415) and router solicitations (RFC 4861). It is
 * for the agent, and for nobody else.
 */
final class HostQuestions {
  private static final int[] DHCPV4 = {68, 67};
  private static final int[] DHCPV6 = {546, 547};
  private static final int ROUTER_SOLICITATION = 133;
  private static final IpAddress BROADCAST = IpAddress.parse("255.255.255.255");
  private static final IpAddress SERVERS = IpAddress.parse("ff02::1:2");
  private static final IpAddress ROUTERS = IpAddress.parse("ff02::2");

  private HostQuestions() {}

  /** Whether a packet is a question of the host, with addresses that it may ask with. */
  static boolean isAsked(LocalPortPolicy port, Headers headers) {
    if (!headers.source().equals(port.mac()) || headers.isOdd()) {
      return false;
    }
    if (headers.isV4()) {
      boolean fresh =
          headers.ipSource().isUnspecified() && headers.ipDestination().equals(BROADCAST);
      return speaks(port, true)
          && isUdp(headers, DHCPV4)
          && (fresh || SourceRules.allow(port, headers));
    }
    return headers.isV6()
        && speaks(port, false)
        && SourceRules.allow(port, headers)
        && ((isUdp(headers, DHCPV6) && headers.ipDestination().equals(SERVERS))
            || (headers.isDiscovery(ROUTER_SOLICITATION)
                && headers.ipDestination().equals(ROUTERS)));
  }

  /** Questions as hosts send them. */
  static Stream<Packet> of(LocalPortPolicy port, Packet at) {
    Packet all = Packets.frame(at, port.mac(), MacAddress.BROADCAST);
    return port.addresses().stream().flatMap(own -> of(port, own, all));
  }

  private static Stream<Packet> of(LocalPortPolicy port, IpAddress own, Packet all) {
    if (own.isV4()) {
      return Stream.of(
          Packets.udp(all, IpAddress.V4_UNSPECIFIED, BROADCAST, DHCPV4[0], DHCPV4[1]),
          Packets.udp(all, own, BROADCAST, DHCPV4[0], DHCPV4[1]));
    }
    IpAddress linkLocal = port.mac().linkLocal();
    return Stream.of(
        Packets.udp(all, linkLocal, SERVERS, DHCPV6[0], DHCPV6[1]),
        Packets.icmp6(all, linkLocal, ROUTERS, ROUTER_SOLICITATION));
  }

  private static boolean isUdp(Headers headers, int[] ports) {
    return headers.protocol() == Headers.UDP
        && headers.number(Field.UDP_SRC) == ports[0]
        && headers.number(Field.UDP_DST) == ports[1];
  }

  private static boolean speaks(LocalPortPolicy port, boolean v4) {
    return port.addresses().stream().anyMatch(address -> address.isV4() == v4);
  }
}
