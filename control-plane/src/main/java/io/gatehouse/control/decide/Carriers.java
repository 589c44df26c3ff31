package io.gatehouse.control.decide;

import io.gatehouse.control.decide.fit.MtuChange;
import io.gatehouse.control.decide.fit.NetworkMtu;
import io.gatehouse.control.decide.fit.PathLimits;
import io.gatehouse.control.decide.peering.PeeringReach;
import io.gatehouse.control.image.Event;
import io.gatehouse.control.image.Event.NetworkPut;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.NetworkMembers;
import io.gatehouse.model.Dpu;
import io.gatehouse.model.Network;
import io.gatehouse.model.mtu.PathLimit;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The DPUs that carry a network, as they are or would be, and what follows for the network: one
 * address family of their VTEPs, one MTU.
 */
final class Carriers {
  private final Map<DpuName, Dpu> dpus;

  private Carriers(Map<DpuName, Dpu> dpus) {
    this.dpus = dpus;
  }

  /** The DPUs that have a port of the network now. */
  static Carriers of(Image image, NetworkName network) {
    Map<DpuName, Dpu> dpus = new TreeMap<>();
    for (DpuName name : image.dpusOf(network)) {
      image.dpu(name).ifPresent(dpu -> dpus.put(name, dpu));
    }
    return new Carriers(dpus);
  }

  /**
   * What a DPU that gets a port of the network changes: nothing if it carries it already. The
   * others agree on a family and an MTU, so that one of them stands for all.
   */
  static List<Event> joined(Image image, Network network, Dpu dpu, Instant now) {
    NetworkMembers members = image.membersOf(network.name());
    if (members.portsByDpu().containsKey(dpu.name())) {
      return List.of();
    }
    Carriers newcomer = new Carriers(Map.of(dpu.name(), dpu));
    PeeringReach.checkTunnelsToPeers(image, network.name(), dpu, "dpu");
    if (members.portsByDpu().isEmpty()) {
      return newcomer.first(image, network, now);
    }
    image
        .dpu(members.portsByDpu().firstKey())
        .map(newcomer::plus)
        .ifPresent(both -> both.checkFamily(dpu.name(), "dpu"));
    int fits = newcomer.mtu(image).inForce(network.requestedMtuBytes(), network.cidrs(), "dpu");
    // With a limit of its paths the MTU in force says nothing of what the others carry.
    int others =
        network.pathLimit().map(PathLimit::unlimitedBytes).orElse(network.effectiveMtuBytes());
    return fits < others
        ? List.of(new NetworkPut(begin(network, members.portsByDpu().keySet(), fits, now)))
        : List.of();
  }

  /** What a DPU that loses a port of the network changes: something only if it limited the MTU. */
  static List<Event> left(Image image, Network network, Dpu dpu, Instant now) {
    boolean stays = image.membersOf(network.name()).portsByDpu().getOrDefault(dpu.name(), 0) > 1;
    boolean larger = NetworkMtu.over(List.of(dpu)).largestBytes() > network.effectiveMtuBytes();
    boolean unconcerned = larger || network.requestedMtuBytes() != 0;
    if (stays || (unconcerned && network.pathLimit().isEmpty())) {
      return List.of();
    }
    return of(image, network.name()).minus(dpu.name()).adjust(image, network, "dpu", now);
  }

  /** With one more DPU, or with a DPU as it would be. */
  Carriers plus(Dpu dpu) {
    Map<DpuName, Dpu> next = new TreeMap<>(dpus);
    next.put(dpu.name(), dpu);
    return new Carriers(next);
  }

  Carriers minus(DpuName name) {
    Map<DpuName, Dpu> next = new TreeMap<>(dpus);
    next.remove(name);
    return new Carriers(next);
  }

  boolean isEmpty() {
    return dpus.isEmpty();
  }

  /** The limit of the DPUs that carry it; of the whole fleet while none does. */
  NetworkMtu mtu(Image image) {
    Collection<Dpu> counted = dpus.isEmpty() ? image.dpus().values() : dpus.values();
    return NetworkMtu.over(counted);
  }

  /** Refuses two address families: a flow of one network has one kind of tunnel. */
  void checkFamily(DpuName changed, String field) {
    Dpu dpu = dpus.get(changed);
    if (dpu == null) {
      return;
    }
    Optional<Dpu> other =
        dpus.values().stream()
            .filter(peer -> peer.vtepAddress().family() != dpu.vtepAddress().family())
            .findFirst();
    if (other.isPresent()) {
      throw Refusals.precondition(
          field,
          "one network cannot have tunnels of both address families: "
              + vtep(dpu)
              + ", "
              + vtep(other.get()));
    }
  }

  /**
   * The network on its way to the MTU that these DPUs give it, if that is a change. A network that
   * nobody carries keeps the one it had.
   */
  List<Event> adjust(Image image, Network network, String field, Instant now) {
    if (isEmpty()) {
      return List.of();
    }
    int mtuBytes = mtu(image).inForce(network.requestedMtuBytes(), network.cidrs(), field);
    return toward(network, mtuBytes, network.updatedAt()).equals(network)
        ? List.of()
        : List.of(new NetworkPut(toward(network, mtuBytes, now)));
  }

  /** The first step of the network, carried by these DPUs, to an MTU that fits them. */
  Network toward(Network network, int fitsBytes, Instant now) {
    return begin(network, dpus.keySet(), fitsBytes, now);
  }

  private static Network begin(Network network, Set<DpuName> dpus, int fitsBytes, Instant now) {
    return MtuChange.begin(network, PathLimits.kept(network, dpus, fitsBytes), fitsBytes, now);
  }

  /**
   * With its first DPU the MTU is in force at once: there is nobody yet who sends more, or less.
   */
  private List<Event> first(Image image, Network network, Instant now) {
    int mtuBytes = mtu(image).inForce(network.requestedMtuBytes(), network.cidrs(), "dpu");
    return mtuBytes == network.effectiveMtuBytes() && !network.isMtuChanging()
        ? List.of()
        : List.of(new NetworkPut(network.withMtu(mtuBytes, mtuBytes, now)));
  }

  private static String vtep(Dpu dpu) {
    return dpu.name() + " has " + dpu.vtepAddress();
  }
}
