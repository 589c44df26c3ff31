package io.gatehouse.agent.prove;

import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.state.RouterIdentity;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.policy.LocalPortPolicy;

/** Whether a host may say what a packet says of its sender. */
final class SourceRules {
  private static final int DHCPV4_SERVER = 67;
  private static final int DHCPV6_SERVER = 547;

  private SourceRules() {}

  static boolean allow(LocalPortPolicy port, Headers headers) {
    if (headers.source().equals(RouterIdentity.MAC)) {
      return false;
    }
    if (headers.isArp()) {
      return arp(port, headers);
    }
    if (headers.isV4()) {
      boolean dhcp = isFrom(headers, DHCPV4_SERVER);
      return !dhcp && owns(port, headers.source(), headers.ipSource());
    }
    return headers.isV6() && speaksV6(port) && v6(port, headers);
  }

  private static boolean isFrom(Headers headers, int udpPort) {
    return headers.protocol() == Headers.UDP && headers.number(Field.UDP_SRC) == udpPort;
  }

  private static boolean arp(LocalPortPolicy port, Headers headers) {
    MacAddress sender = headers.mac(Field.ARP_SHA);
    if (!sender.equals(headers.source())) {
      return false;
    }
    IpAddress address = headers.v4(Field.ARP_SPA);
    boolean probe = address.isUnspecified() && headers.isArpRequest() && speaksV4(port);
    return probe ? sender.equals(port.mac()) : owns(port, sender, address);
  }

  private static boolean v6(LocalPortPolicy port, Headers headers) {
    boolean forbidden =
        isFrom(headers, DHCPV6_SERVER)
            || headers.isDiscovery(Headers.ROUTER_ADVERTISEMENT)
            || headers.isDiscovery(Headers.REDIRECT);
    if (forbidden) {
      return false;
    }
    if (headers.isDiscovery(Headers.SOLICITATION)) {
      return solicitation(port, headers);
    }
    boolean own = owns(port, headers.source(), headers.ipSource());
    if (!headers.isDiscovery(Headers.ADVERTISEMENT)) {
      return own;
    }
    return own
        && owns(port, headers.source(), headers.v6(Field.ND_TARGET))
        && isOwnOption(headers, Field.ND_TLL);
  }

  private static boolean solicitation(LocalPortPolicy port, Headers headers) {
    if (headers.ipSource().isUnspecified()) {
      return owns(port, headers.source(), headers.v6(Field.ND_TARGET));
    }
    return owns(port, headers.source(), headers.ipSource()) && isOwnOption(headers, Field.ND_SLL);
  }

  private static boolean isOwnOption(Headers headers, Field option) {
    MacAddress said = headers.mac(option);
    return said.equals(MacAddress.ZERO) || said.equals(headers.source());
  }

  private static boolean speaksV4(LocalPortPolicy port) {
    return port.addresses().stream().anyMatch(IpAddress::isV4);
  }

  private static boolean speaksV6(LocalPortPolicy port) {
    return port.addresses().stream().anyMatch(IpAddress::isV6)
        || port.security().allowedPairs().stream().anyMatch(p -> p.addresses().address().isV6());
  }

  /** A pair of MAC and IP address that is the host's. */
  static boolean owns(LocalPortPolicy port, MacAddress mac, IpAddress address) {
    boolean own =
        mac.equals(port.mac())
            && (port.addresses().contains(address)
                || (speaksV6(port) && address.equals(mac.linkLocal())));
    return own
        || port.security().allowedPairs().stream()
            .anyMatch(
                pair ->
                    pair.mac().orElse(port.mac()).equals(mac) && isIn(pair.addresses(), address));
  }

  static boolean isIn(Cidr cidr, IpAddress address) {
    return cidr.address().family() == address.family() && cidr.contains(address);
  }
}
