package io.gatehouse.agent.dhcp;

import io.gatehouse.model.HostConfiguration.Route;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.NetworkPolicy;
import io.gatehouse.model.policy.PeeringPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one host is told.
 *
 * @param peerings of the network: the peers' prefixes are told as if they were on the link, because
 *     the switch answers there for each address of a peer's port
 * @param neighbours MAC addresses of those next hops that are ports of the network
 */
public record HostTerms(
    LocalPortPolicy port,
    NetworkPolicy network,
    List<PeeringPolicy> peerings,
    Map<IpAddress, MacAddress> neighbours) {
  public HostTerms {
    peerings = List.copyOf(peerings);
    neighbours = Map.copyOf(neighbours);
  }

  MacAddress mac() {
    return port.mac();
  }

  List<IpAddress> addresses(IpAddress.Family family) {
    return port.addresses().stream().filter(a -> a.family() == family).toList();
  }

  /** Whether the policy gives the host an address of a family. */
  public boolean has(IpAddress.Family family) {
    return port.addresses().stream().anyMatch(address -> address.family() == family);
  }

  /** With which MAC address the host sends from an address; empty if the address is not its own. */
  Optional<MacAddress> macOf(IpAddress address) {
    boolean linkLocal = has(IpAddress.Family.V6) && address.equals(port.mac().linkLocal());
    if (linkLocal || port.addresses().contains(address)) {
      return Optional.of(port.mac());
    }
    return port.security().allowedPairs().stream()
        .filter(pair -> pair.addresses().address().family() == address.family())
        .filter(pair -> pair.addresses().contains(address))
        .map(pair -> pair.mac().orElse(port.mac()))
        .findFirst();
  }

  List<Cidr> prefixes(IpAddress.Family family) {
    return network.cidrs().stream().filter(c -> c.address().family() == family).toList();
  }

  /** Prefixes of peers of a family that the network itself has too. */
  List<Cidr> peerPrefixes(IpAddress.Family family) {
    if (prefixes(family).isEmpty()) {
      return List.of();
    }
    return peerings.stream()
        .flatMap(peering -> peering.peerCidrs().stream())
        .filter(cidr -> cidr.address().family() == family)
        .toList();
  }

  List<IpAddress> dnsServers(IpAddress.Family family) {
    return network.hosts().dnsServers().stream().filter(a -> a.family() == family).toList();
  }

  /** The routes of a family; a host that is itself the next hop is not told to send to itself. */
  List<Route> routes(IpAddress.Family family) {
    return network.hosts().routes().stream()
        .filter(route -> route.nextHop().family() == family)
        .filter(route -> !port.addresses().contains(route.nextHop()))
        .toList();
  }

  public long leaseSeconds() {
    return network.hosts().lease().toSeconds();
  }
}
