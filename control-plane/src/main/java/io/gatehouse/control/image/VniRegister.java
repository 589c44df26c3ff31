package io.gatehouse.control.image;

import io.gatehouse.control.image.Event.NetworkDeleted;
import io.gatehouse.control.image.Event.NetworkPut;
import io.gatehouse.control.image.Event.PeeringPut;
import io.gatehouse.control.image.Event.PortPut;
import io.gatehouse.control.image.Event.VniReleased;
import io.gatehouse.model.Network;
import io.gatehouse.model.Peering;
import io.gatehouse.model.Port;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.net.Vni;
import java.util.Set;
import org.pcollections.HashTreePMap;
import org.pcollections.HashTreePSet;
import org.pcollections.PMap;
import org.pcollections.PSet;
import org.pcollections.TreePMap;

/**
 * Which VNI is whose, and which ones rest.
 *
 * @param carriers the DPUs that had a port of the network, or of one that it peered with, at any
 *     time of its life
 * @param lastVni given last, 0 if none was
 */
record VniRegister(
    PMap<Vni, NetworkName> used,
    PMap<NetworkName, PSet<DpuName>> carriers,
    TreePMap<Vni, RestingVni> resting,
    int lastVni) {
  static final VniRegister EMPTY =
      new VniRegister(HashTreePMap.empty(), HashTreePMap.empty(), TreePMap.empty(), 0);

  /**
   * The register after one more event.
   *
   * @param resources after the event
   */
  VniRegister with(long revision, Event event, Resources resources) {
    if (event instanceof NetworkPut put) {
      return using(put.network());
    }
    if (event instanceof PortPut put) {
      return carrying(put.port(), resources);
    }
    if (event instanceof PeeringPut put && put.peering().active()) {
      return peering(put.peering(), resources);
    }
    if (event instanceof NetworkDeleted deleted) {
      return ending(revision, deleted);
    }
    if (event instanceof VniReleased released) {
      return new VniRegister(used, carriers, resting.minus(released.vni()), lastVni);
    }
    return this;
  }

  PSet<DpuName> carriersOf(NetworkName network) {
    return carriers.getOrDefault(network, HashTreePSet.empty());
  }

  private VniRegister using(Network network) {
    if (used.containsKey(network.vni())) {
      return this;
    }
    return new VniRegister(
        used.plus(network.vni(), network.name()), carriers, resting, network.vni().value());
  }

  private VniRegister carrying(Port port, Resources resources) {
    NetworkName network = port.name().network();
    Set<DpuName> dpu = Set.of(port.dpu());
    VniRegister next = carrying(network, dpu);
    for (NetworkName peer : resources.peersOf(network)) {
      next = next.carrying(peer, dpu);
    }
    return next;
  }

  /** Each DPU of the one network gets to know the VNI of the other. */
  private VniRegister peering(Peering peering, Resources resources) {
    NetworkName network = peering.name().network();
    return carrying(network, resources.ports().of(peering.peer()).dpus())
        .carrying(peering.peer(), resources.ports().of(network).dpus());
  }

  private VniRegister carrying(NetworkName network, Set<DpuName> dpus) {
    PSet<DpuName> before = carriersOf(network);
    if (before.containsAll(dpus)) {
      return this;
    }
    return new VniRegister(used, carriers.plus(network, before.plusAll(dpus)), resting, lastVni);
  }

  private VniRegister ending(long revision, NetworkDeleted deleted) {
    RestingVni rest = new RestingVni(deleted.vni(), revision, carriersOf(deleted.name()));
    return new VniRegister(
        used.minus(deleted.vni()),
        carriers.minus(deleted.name()),
        resting.plus(deleted.vni(), rest),
        lastVni);
  }
}
