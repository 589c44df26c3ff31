package io.gatehouse.agent.path;

import io.gatehouse.agent.state.Policy;
import io.gatehouse.model.mtu.EncapsulationStack;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.NetworkPolicy;
import io.gatehouse.model.policy.PeeringPolicy;
import io.gatehouse.model.policy.RemotePortPolicy;
import io.gatehouse.model.policy.VtepPolicy;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Whom a DPU probes: those with whom it shares a network, or a peer of one, and nobody else. */
public final class PathPartners {
  private PathPartners() {}

  /**
   * A DPU with a port in one of this DPU's networks.
   *
   * @param address of its VTEP
   * @param wantedBytes largest IP packet on the underlay that their networks need
   */
  public record Partner(IpAddress address, int wantedBytes) {}

  /** The partners of a policy. */
  public static SortedMap<DpuName, Partner> of(Policy policy, IpAddress own) {
    Map<NetworkName, Integer> mtus = mtus(policy);
    EncapsulationStack around = EncapsulationStack.vxlan(own.family());
    SortedMap<DpuName, Partner> partners = new TreeMap<>();
    for (RemotePortPolicy port : policy.remotePorts().values()) {
      Integer mtu = mtus.get(port.name().network());
      VtepPolicy vtep = policy.vteps().get(port.dpu());
      if (mtu == null || vtep == null || vtep.address().family() != own.family()) {
        continue;
      }
      partners.merge(
          port.dpu(),
          new Partner(vtep.address(), around.neededUnderlayBytes(mtu)),
          PathPartners::larger);
    }
    return Collections.unmodifiableSortedMap(partners);
  }

  /**
   * Bytes of the largest packet into each network: its own hosts', or what is routed there. A
   * network that was lowered because of a path is probed for what it had: so its end is seen.
   */
  private static Map<NetworkName, Integer> mtus(Policy policy) {
    // Of a DPU whose ports are all disabled the others have not heard: they would not answer.
    Set<NetworkName> used =
        policy.localPorts().values().stream()
            .filter(LocalPortPolicy::enabled)
            .map(port -> port.name().network())
            .collect(Collectors.toSet());
    Map<NetworkName, Integer> mtus = new HashMap<>();
    for (PeeringPolicy peering : policy.peerings().values()) {
      NetworkPolicy network = policy.networks().get(peering.name().network());
      if (network != null && used.contains(network.name())) {
        int routed = Math.min(network.mtuBytes(), peering.peerMtuBytes());
        mtus.merge(peering.peer(), routed, Math::max);
      }
    }
    policy.networks().values().stream()
        .filter(network -> used.contains(network.name()))
        .forEach(network -> mtus.put(network.name(), network.probeMtuBytes()));
    return mtus;
  }

  private static Partner larger(Partner a, Partner b) {
    return a.wantedBytes() >= b.wantedBytes() ? a : b;
  }
}
