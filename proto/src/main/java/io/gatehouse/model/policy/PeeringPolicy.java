package io.gatehouse.model.policy;

import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PeeringName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.Limits;
import io.gatehouse.model.net.Vni;
import java.util.List;

/**
 * A network with a port on this DPU exchanges routed packets with another one. Both sides have
 * agreed.
 *
 * @param name of the peering, in the network of this DPU
 * @param peer the other network, which need not have a port on this DPU
 * @param peerCidrs its prefixes, at most one for each address family
 * @param peerMtuBytes largest IP packet inside it
 */
public record PeeringPolicy(
    PeeringName name, NetworkName peer, Vni peerVni, List<Cidr> peerCidrs, int peerMtuBytes)
    implements PolicyResource {
  public PeeringPolicy {
    peerCidrs = List.copyOf(peerCidrs);
    Limits.range(
        "peering.peer_mtu_bytes",
        peerMtuBytes,
        NetworkPolicy.MIN_MTU_BYTES,
        NetworkPolicy.MAX_MTU_BYTES);
    if (peer.equals(name.network())) {
      throw new InvalidValueException("peer_network", peer, "is the network itself");
    }
  }

  @Override
  public String key() {
    return name.toString();
  }
}
