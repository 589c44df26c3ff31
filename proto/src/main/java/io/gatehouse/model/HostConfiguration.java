package io.gatehouse.model;

import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.Limits;
import java.time.Duration;
import java.util.List;

/**
 * What hosts of a network are told by DHCP and router advertisements, besides their address, mask
 * and MTU.
 *
 * @param dnsServers at most 8, of both families
 * @param routes at most 16
 * @param lease of an address, 2 min to 30 days
 */
public record HostConfiguration(List<IpAddress> dnsServers, List<Route> routes, Duration lease) {
  public static final int MAX_DNS_SERVERS = 8;
  public static final int MAX_ROUTES = 16;
  public static final Duration DEFAULT_LEASE = Duration.ofDays(1);

  private static final long MIN_LEASE_SECONDS = 120;
  private static final long MAX_LEASE_SECONDS = Duration.ofDays(30).toSeconds();

  // Below the limits that it is checked against.
  public static final HostConfiguration DEFAULT =
      new HostConfiguration(List.of(), List.of(), DEFAULT_LEASE);

  public HostConfiguration {
    dnsServers = List.copyOf(dnsServers);
    routes = List.copyOf(routes);
    Limits.elements("dns_servers", dnsServers, MAX_DNS_SERVERS);
    Limits.elements("routes", routes, MAX_ROUTES);
    dnsServers.forEach(server -> Limits.unicast("dns_servers", server));
    Limits.range("lease_seconds", lease.toSeconds(), MIN_LEASE_SECONDS, MAX_LEASE_SECONDS);
  }

  /**
   * A route.
   *
   * @param destination a whole family for the default route
   * @param nextHop of the same family
   */
  public record Route(Cidr destination, IpAddress nextHop) {
    public Route {
      Limits.unicast("next_hop", nextHop);
      if (destination.address().family() != nextHop.family()) {
        throw new InvalidValueException(
            "next_hop", nextHop, "is not of the family of " + destination);
      }
    }
  }
}
