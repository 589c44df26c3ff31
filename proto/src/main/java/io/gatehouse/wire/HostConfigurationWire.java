package io.gatehouse.wire;

import static io.gatehouse.wire.FieldReader.read;
import static io.gatehouse.wire.FieldReader.readAll;
import static io.gatehouse.wire.FieldReader.readAllWithin;

import io.gatehouse.model.HostConfiguration;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;
import java.time.Duration;
import java.util.Objects;

/** What hosts are told, as a message. */
public final class HostConfigurationWire {
  private HostConfigurationWire() {}

  public static io.gatehouse.proto.v1.HostConfiguration toProto(HostConfiguration hosts) {
    var message =
        io.gatehouse.proto.v1.HostConfiguration.newBuilder()
            .addAllDnsServers(hosts.dnsServers().stream().map(Objects::toString).toList())
            .setLeaseSeconds((int) hosts.lease().toSeconds());
    for (HostConfiguration.Route route : hosts.routes()) {
      message.addRoutes(
          io.gatehouse.proto.v1.HostRoute.newBuilder()
              .setDestination(route.destination().toString())
              .setNextHop(route.nextHop().toString()));
    }
    return message.build();
  }

  /**
   * Reads a configuration.
   *
   * @throws InvalidValueException with the path below the message
   */
  public static HostConfiguration fromProto(io.gatehouse.proto.v1.HostConfiguration message) {
    return new HostConfiguration(
        readAll(
            "dns_servers",
            message.getDnsServersList(),
            HostConfiguration.MAX_DNS_SERVERS,
            IpAddress::parse),
        readAllWithin(
            "routes",
            message.getRoutesList(),
            HostConfiguration.MAX_ROUTES,
            HostConfigurationWire::route),
        message.getLeaseSeconds() == 0
            ? HostConfiguration.DEFAULT_LEASE
            : Duration.ofSeconds(message.getLeaseSeconds()));
  }

  private static HostConfiguration.Route route(io.gatehouse.proto.v1.HostRoute message) {
    return new HostConfiguration.Route(
        read("destination", message.getDestination(), Cidr::parse),
        read("next_hop", message.getNextHop(), IpAddress::parse));
  }
}
