package io.gatehouse.agent.state;

import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PeeringName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.NetworkPolicy;
import io.gatehouse.model.policy.PeeringPolicy;
import io.gatehouse.model.policy.PolicyResource;
import io.gatehouse.model.policy.RemotePortPolicy;
import io.gatehouse.model.policy.SecurityGroupPolicy;
import io.gatehouse.model.policy.VtepPolicy;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The policy that this DPU holds at one revision.
 *
 * @param revision 0 if it holds none
 */
public record Policy(
    long revision,
    SortedMap<NetworkName, NetworkPolicy> networks,
    SortedMap<PortName, LocalPortPolicy> localPorts,
    SortedMap<PortName, RemotePortPolicy> remotePorts,
    SortedMap<DpuName, VtepPolicy> vteps,
    SortedMap<SecurityGroupName, SecurityGroupPolicy> groups,
    SortedMap<PeeringName, PeeringPolicy> peerings) {
  public static final Policy NONE = of(0, Collections.<PolicyResource>emptyList());

  public Policy {
    networks = Collections.unmodifiableSortedMap(networks);
    localPorts = Collections.unmodifiableSortedMap(localPorts);
    remotePorts = Collections.unmodifiableSortedMap(remotePorts);
    vteps = Collections.unmodifiableSortedMap(vteps);
    groups = Collections.unmodifiableSortedMap(groups);
    peerings = Collections.unmodifiableSortedMap(peerings);
  }

  /** Sorts resources by kind; of two with the same name the later one counts. */
  public static Policy of(long revision, Collection<? extends PolicyResource> resources) {
    SortedMap<NetworkName, NetworkPolicy> networks = new TreeMap<>();
    SortedMap<PortName, LocalPortPolicy> localPorts = new TreeMap<>();
    SortedMap<PortName, RemotePortPolicy> remotePorts = new TreeMap<>();
    SortedMap<DpuName, VtepPolicy> vteps = new TreeMap<>();
    SortedMap<SecurityGroupName, SecurityGroupPolicy> groups = new TreeMap<>();
    SortedMap<PeeringName, PeeringPolicy> peerings = new TreeMap<>();
    for (PolicyResource resource : resources) {
      if (resource instanceof NetworkPolicy network) {
        networks.put(network.name(), network);
      } else if (resource instanceof LocalPortPolicy port) {
        localPorts.put(port.name(), port);
      } else if (resource instanceof RemotePortPolicy port) {
        remotePorts.put(port.name(), port);
      } else if (resource instanceof VtepPolicy vtep) {
        vteps.put(vtep.name(), vtep);
      } else if (resource instanceof SecurityGroupPolicy group) {
        groups.put(group.name(), group);
      } else if (resource instanceof PeeringPolicy peering) {
        peerings.put(peering.name(), peering);
      }
    }
    return new Policy(revision, networks, localPorts, remotePorts, vteps, groups, peerings);
  }
}
