package io.gatehouse.agent.plan;

import io.gatehouse.agent.state.Policy;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.Vni;
import io.gatehouse.model.policy.NetworkPolicy;
import io.gatehouse.model.policy.PeeringPolicy;
import io.gatehouse.model.policy.PolicyResource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds peerings that contradict others or the networks that they join. Such a peering is closed;
 * of two that contradict each other, the one with the later name.
 */
final class PeeringChecker {
  private final Policy policy;
  private final Map<PolicyResource, String> reasons;
  private final Map<Vni, NetworkName> vnis;
  private final List<PeeringPolicy> sound = new ArrayList<>();
  private final Map<NetworkName, Vni> peers = new HashMap<>();

  private PeeringChecker(
      Policy policy, Map<PolicyResource, String> reasons, Map<Vni, NetworkName> vnis) {
    this.policy = policy;
    this.reasons = reasons;
    this.vnis = vnis;
  }

  /**
   * Enters the peerings that cannot be applied among the reasons.
   *
   * @param reasons of networks that cannot be applied, before all
   * @param vnis of all networks; those of the peers are added
   * @return the networks that can be sent to from here though they have no port here
   */
  static Set<NetworkName> check(
      Policy policy, Map<PolicyResource, String> reasons, Map<Vni, NetworkName> vnis) {
    PeeringChecker checker = new PeeringChecker(policy, reasons, vnis);
    for (PeeringPolicy peering : policy.peerings().values()) {
      Optional<String> reason = checker.contradiction(peering);
      if (reason.isPresent()) {
        reasons.put(peering, reason.get());
      } else {
        checker.sound.add(peering);
        checker.peers.put(peering.peer(), peering.peerVni());
      }
    }
    checker.sound.forEach(checker::needsConsent);
    checker.peers.keySet().removeIf(name -> policy.networks().containsKey(name));
    return checker.peers.keySet();
  }

  private Optional<String> contradiction(PeeringPolicy peering) {
    NetworkName own = peering.name().network();
    NetworkPolicy network = policy.networks().get(own);
    NetworkPolicy peer = policy.networks().get(peering.peer());
    if (network == null || reasons.containsKey(network)) {
      return Optional.of("its network " + own + " is not applied here");
    }
    if (peer != null && reasons.containsKey(peer)) {
      return Optional.of("its peer " + peering.peer() + " is not applied here");
    }
    return otherVni(peering)
        .or(() -> overlap(peering))
        .or(() -> sound.stream().flatMap(other -> conflict(peering, other).stream()).findFirst());
  }

  private Optional<String> otherVni(PeeringPolicy peering) {
    NetworkPolicy here = policy.networks().get(peering.peer());
    Vni known = here == null ? peers.get(peering.peer()) : here.vni();
    if (known != null && !known.equals(peering.peerVni())) {
      return Optional.of(
          "VNI %s is not that of its peer, which has %s".formatted(peering.peerVni(), known));
    }
    NetworkName other = vnis.putIfAbsent(peering.peerVni(), peering.peer());
    return other == null || other.equals(peering.peer())
        ? Optional.empty()
        : Optional.of("VNI " + peering.peerVni() + " is already that of " + other);
  }

  /** Nor with the network's own prefixes: an address means one host. */
  private Optional<String> overlap(PeeringPolicy peering) {
    return Optional.ofNullable(policy.networks().get(peering.name().network()))
        .flatMap(own -> overlap(peering, own.cidrs()).map(both -> both + " of " + own.name()));
  }

  private Optional<String> conflict(PeeringPolicy peering, PeeringPolicy other) {
    if (!other.name().network().equals(peering.name().network())) {
      return Optional.empty();
    }
    return other.peer().equals(peering.peer())
        ? Optional.of(peering.peer() + " is already that of " + other.name())
        : overlap(peering, other.peerCidrs()).map(both -> both + " of " + other.name());
  }

  private static Optional<String> overlap(PeeringPolicy peering, List<Cidr> others) {
    return peering.peerCidrs().stream()
        .flatMap(
            mine ->
                others.stream()
                    .filter(mine::overlaps)
                    .map(other -> "its peer's " + mine + " overlaps " + other))
        .findFirst();
  }

  /** A peer on this DPU has a half of its own; the control plane ends both, but never one alone. */
  private void needsConsent(PeeringPolicy peering) {
    boolean alone =
        policy.networks().containsKey(peering.peer())
            && sound.stream()
                .noneMatch(
                    other ->
                        other.name().network().equals(peering.peer())
                            && other.peer().equals(peering.name().network()));
    if (alone) {
      reasons.put(peering, "its peer " + peering.peer() + " has no peering that answers it");
    }
  }
}
