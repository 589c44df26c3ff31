package io.gatehouse.agent.plan;

import io.gatehouse.agent.state.Policy;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.Vni;
import io.gatehouse.model.policy.NetworkPolicy;
import io.gatehouse.model.policy.PeeringPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The networks that a DPU sends to, each with those of its own whose hosts may. */
final class PeeringCatalog {
  private final Map<NetworkName, Audience> audiences = new HashMap<>();

  private PeeringCatalog() {}

  /**
   * Whose hosts may send to the ports of a network.
   *
   * @param vni of the network
   * @param home true if the network itself has a port on this DPU
   * @param peers networks on this DPU that have a peering with it
   */
  record Audience(Vni vni, boolean home, List<Peer> peers) {
    Audience {
      peers = List.copyOf(peers);
    }

    private Audience with(Peer peer) {
      List<Peer> more = new ArrayList<>(peers);
      more.add(peer);
      return new Audience(vni, home, more);
    }
  }

  /**
   * A network whose hosts may send by way of the router.
   *
   * @param sources its own prefixes: from any other address nothing is routed
   * @param destinations prefixes of the network that is sent to
   */
  record Peer(Vni vni, List<Cidr> sources, List<Cidr> destinations) {
    /** The prefix from which an address is reached, empty if it is not. */
    Optional<Cidr> sourceOf(IpAddress address) {
      if (destinations.stream().noneMatch(prefix -> prefix.contains(address))) {
        return Optional.empty();
      }
      return sources.stream()
          .filter(prefix -> prefix.address().family() == address.family())
          .findFirst();
    }
  }

  /** Reads it out of a policy, only resources of which are there that are to be applied. */
  static PeeringCatalog of(Policy policy) {
    PeeringCatalog catalog = new PeeringCatalog();
    for (NetworkPolicy network : policy.networks().values()) {
      catalog.audiences.put(network.name(), new Audience(network.vni(), true, List.of()));
    }
    for (PeeringPolicy peering : policy.peerings().values()) {
      NetworkPolicy network = policy.networks().get(peering.name().network());
      if (network != null) {
        Audience known =
            catalog.audiences.getOrDefault(
                peering.peer(), new Audience(peering.peerVni(), false, List.of()));
        Peer peer = new Peer(network.vni(), network.cidrs(), peering.peerCidrs());
        catalog.audiences.put(peering.peer(), known.with(peer));
      }
    }
    return catalog;
  }

  /** Empty for a network that nobody here may send to. */
  Optional<Audience> audience(NetworkName network) {
    return Optional.ofNullable(audiences.get(network));
  }
}
