package io.gatehouse.agent.prove;

import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.state.RouterIdentity;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.policy.NetworkPolicy;
import io.gatehouse.model.policy.PeeringPolicy;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Which packets go from a network to another, said by the peerings alone. */
final class Routes {
  private final Ground ground;

  Routes(Ground ground) {
    this.ground = ground;
  }

  boolean arePeers(NetworkName from, NetworkName to) {
    return of(from).anyMatch(peering -> peering.peer().equals(to));
  }

  /** The network that has an address, as hosts of another see it; empty if none they may reach. */
  Optional<NetworkName> owner(NetworkName from, IpAddress address) {
    return of(from)
        .filter(peering -> isIn(peering.peerCidrs(), address))
        .map(PeeringPolicy::peer)
        .findFirst();
  }

  /** Where the router takes a packet of a host; empty if nowhere. */
  Optional<NetworkName> next(NetworkName from, Headers headers) {
    boolean routed =
        headers.destination().equals(RouterIdentity.MAC)
            && (headers.isV4() || headers.isV6())
            && !headers.isForLink()
            && headers.number(Field.NW_TTL) > 1
            && isIn(ownCidrs(from), headers.ipSource());
    return routed ? owner(from, headers.ipDestination()) : Optional.empty();
  }

  /** Whether a packet out of a tunnel may be in a network, by who sent it and what it is. */
  boolean mayEnter(NetworkName network, IpAddress vtep, Headers headers) {
    if (hasPortOf(vtep, network)) {
      return true;
    }
    return headers.source().equals(RouterIdentity.MAC)
        && !headers.destination().isGroup()
        && (headers.isV4() || headers.isV6())
        && of(network)
            .filter(peering -> hasPortOf(vtep, peering.peer()))
            .anyMatch(peering -> isIn(peering.peerCidrs(), headers.ipSource()));
  }

  private boolean hasPortOf(IpAddress vtep, NetworkName network) {
    return ground.remotes().values().stream()
        .anyMatch(port -> port.name().network().equals(network) && ground.vtep(port).equals(vtep));
  }

  private Stream<PeeringPolicy> of(NetworkName network) {
    return ground.peerings().stream().filter(peering -> peering.name().network().equals(network));
  }

  private List<Cidr> ownCidrs(NetworkName network) {
    return Optional.ofNullable(ground.policy().networks().get(network))
        .map(NetworkPolicy::cidrs)
        .orElse(List.of());
  }

  private static boolean isIn(List<Cidr> prefixes, IpAddress address) {
    return prefixes.stream().anyMatch(prefix -> prefix.contains(address));
  }
}
