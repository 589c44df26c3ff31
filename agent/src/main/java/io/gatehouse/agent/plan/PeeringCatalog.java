package io.gatehouse.agent.plan;

import io.gatehouse.agent.state.Policy;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PeeringName;
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
import java.util.OptionalInt;

/** The networks that a DPU sends to, each with those of its own whose hosts may. */
final class PeeringCatalog {
  private final Map<NetworkName, Audience> audiences = new HashMap<>();

  private final Map<NetworkName, Room> rooms = new HashMap<>();

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

  /**
   * How large what is routed into a network may be: as large as all who may send there carry.
   *
   * @param teller the peering whose flows say so: one of those with the network
   */
  private record Room(PeeringName teller, int mtuBytes) {
    Room and(int otherMtuBytes) {
      return new Room(teller, Math.min(mtuBytes, otherMtuBytes));
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
        catalog.rooms.merge(
            peering.peer(),
            new Room(peering.name(), Math.min(network.mtuBytes(), peering.peerMtuBytes())),
            (room, more) -> room.and(more.mtuBytes()));
      }
    }
    return catalog;
  }

  /** Bytes of the largest packet to the peer; empty if another peering's flows say so. */
  OptionalInt routedMtu(PeeringPolicy peering) {
    Room room = rooms.get(peering.peer());
    return room != null && room.teller().equals(peering.name())
        ? OptionalInt.of(room.mtuBytes())
        : OptionalInt.empty();
  }

  /** Empty for a network that nobody here may send to. */
  Optional<Audience> audience(NetworkName network) {
    return Optional.ofNullable(audiences.get(network));
  }
}
