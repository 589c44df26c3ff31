package io.gatehouse.agent.path.tunnel;

import io.gatehouse.agent.state.Policy;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.NetworkPolicy;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The networks that a DPU and another both have ports of. */
public final class SharedNetworks {
  private SharedNetworks() {}

  /**
   * Those of a policy, by name.
   *
   * @param only this one, if it is given
   */
  public static List<NetworkPolicy> of(Policy policy, DpuName peer, Optional<NetworkName> only) {
    Set<NetworkName> own =
        policy.localPorts().values().stream()
            .filter(LocalPortPolicy::enabled)
            .map(port -> port.name().network())
            .collect(Collectors.toSet());
    return policy.remotePorts().values().stream()
        .filter(port -> port.dpu().equals(peer))
        .map(port -> port.name().network())
        .filter(name -> own.contains(name) && (only.isEmpty() || only.get().equals(name)))
        .distinct()
        .sorted()
        .flatMap(name -> Optional.ofNullable(policy.networks().get(name)).stream())
        .toList();
  }
}
