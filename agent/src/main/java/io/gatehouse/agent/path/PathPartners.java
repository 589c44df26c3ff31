package io.gatehouse.agent.path;

import io.gatehouse.agent.state.Policy;
import io.gatehouse.model.VxlanOverhead;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.policy.NetworkPolicy;
import io.gatehouse.model.policy.RemotePortPolicy;
import io.gatehouse.model.policy.VtepPolicy;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** Whom a DPU probes: those with whom it shares a network, and nobody else. */
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
    SortedMap<DpuName, Partner> partners = new TreeMap<>();
    for (RemotePortPolicy port : policy.remotePorts().values()) {
      NetworkPolicy network = policy.networks().get(port.name().network());
      VtepPolicy vtep = policy.vteps().get(port.dpu());
      if (network == null || vtep == null || vtep.address().family() != own.family()) {
        continue;
      }
      int wanted = network.mtuBytes() + VxlanOverhead.bytes(own.family());
      partners.merge(port.dpu(), new Partner(vtep.address(), wanted), PathPartners::larger);
    }
    return Collections.unmodifiableSortedMap(partners);
  }

  private static Partner larger(Partner a, Partner b) {
    return a.wantedBytes() >= b.wantedBytes() ? a : b;
  }
}
