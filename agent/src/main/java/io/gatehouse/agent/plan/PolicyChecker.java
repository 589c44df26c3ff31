package io.gatehouse.agent.plan;

import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.ProbeIdentity;
import io.gatehouse.agent.state.Problem;
import io.gatehouse.agent.state.RouterIdentity;
import io.gatehouse.agent.state.ServerIdentity;
import io.gatehouse.agent.state.Site;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.net.Vni;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.NetworkPolicy;
import io.gatehouse.model.policy.PolicyResource;
import io.gatehouse.model.policy.RemotePortPolicy;
import io.gatehouse.model.policy.VtepPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds resources of a policy that contradict others. The control plane never makes such a policy;
 * if one arrives all the same, the contradicting port is closed and the others go on.
 */
final class PolicyChecker {
  private static final Set<Object> SERVER =
      Set.of(
          ServerIdentity.MAC,
          ServerIdentity.IPV4,
          ServerIdentity.LINK_LOCAL,
          RouterIdentity.MAC,
          ProbeIdentity.MAC);

  private final Policy policy;
  private final Set<SecurityGroupName> groups;
  private final Site site;
  private final Map<PolicyResource, String> reasons = new HashMap<>();
  private final Map<Vni, NetworkName> vnis = new HashMap<>();
  private final Map<String, PortName> functions = new HashMap<>();
  private final Set<NetworkName> peers = new HashSet<>();
  private final Map<Claim, PortName> claims = new HashMap<>();

  /** A MAC or IP address inside a network. */
  private record Claim(NetworkName network, Object address) {}

  private PolicyChecker(Policy policy, Site site) {
    this.policy = policy;
    this.groups = new HashSet<>(policy.groups().keySet());
    this.site = site;
  }

  /** The resources that cannot be applied, in order of their names. */
  static List<Problem> check(Policy policy, Site site) {
    PolicyChecker checker = new PolicyChecker(policy, site);
    policy.vteps().values().forEach(checker::vtep);
    policy.networks().values().forEach(checker::network);
    checker.peers.addAll(PeeringChecker.check(policy, checker.reasons, checker.vnis));
    policy.localPorts().values().forEach(checker::localPort);
    policy.remotePorts().values().forEach(checker::remotePort);
    List<Problem> problems = new ArrayList<>();
    checker.reasons.forEach(
        (resource, reason) -> problems.add(Problem.rejected(resource.key(), reason)));
    problems.sort(java.util.Comparator.comparing(Problem::resource));
    return problems;
  }

  private void vtep(VtepPolicy vtep) {
    boolean own = vtep.name().equals(site.dpu());
    if (own && !vtep.address().equals(site.vtep())) {
      reasons.put(
          vtep,
          "the control plane has VTEP address "
              + vtep.address()
              + ", this DPU is configured with "
              + site.vtep());
    } else if (vtep.address().family() != site.vtep().family()) {
      // One tunnel port has one local address; the switch would send to the last IPv4 peer instead.
      reasons.put(vtep, vtep.address() + " cannot be reached from VTEP address " + site.vtep());
    }
  }

  private void network(NetworkPolicy network) {
    NetworkName other = vnis.putIfAbsent(network.vni(), network.name());
    if (other != null) {
      reasons.put(network, "VNI " + network.vni() + " is already that of " + other);
    }
  }

  private void localPort(LocalPortPolicy port) {
    PortName other = functions.putIfAbsent(port.function(), port.name());
    if (other != null) {
      reasons.put(port, "function " + port.function() + " is already that of " + other);
      return;
    }
    Optional<SecurityGroupName> unknown =
        port.security().groups().stream().filter(group -> !groups.contains(group)).findFirst();
    if (unknown.isPresent()) {
      // Without its rules nobody knows what to let through.
      reasons.put(port, "its security group " + unknown.get() + " is not known here");
      return;
    }
    if (!isHere(port.name().network())) {
      reasons.put(port, notApplied(port.name()));
      return;
    }
    belongs(port, port.name(), port.mac(), port.addresses());
  }

  private void remotePort(RemotePortPolicy port) {
    VtepPolicy vtep = policy.vteps().get(port.dpu());
    if (vtep == null || reasons.containsKey(vtep)) {
      reasons.put(port, "no VTEP address of " + port.dpu() + " is known that can be used");
      return;
    }
    if (!isHere(port.name().network()) && !peers.contains(port.name().network())) {
      reasons.put(port, notApplied(port.name()));
      return;
    }
    belongs(port, port.name(), port.mac(), port.addresses());
  }

  private boolean isHere(NetworkName name) {
    NetworkPolicy network = policy.networks().get(name);
    return network != null && !reasons.containsKey(network);
  }

  private static String notApplied(PortName port) {
    return "its network " + port.network() + " is not applied here";
  }

  private void belongs(
      PolicyResource port, PortName name, MacAddress mac, List<IpAddress> addresses) {
    // The link-local address too: two answers to one question would undo each other for ever.
    List<Object> wanted = new ArrayList<>(NeighbourPlanner.answered(addresses, mac));
    wanted.add(addresses.size(), mac);
    Optional<String> conflict =
        wanted.stream().flatMap(address -> conflict(name, address).stream()).findFirst();
    if (conflict.isPresent()) {
      reasons.put(port, conflict.get());
      return;
    }
    wanted.forEach(address -> claims.put(new Claim(name.network(), address), name));
  }

  private Optional<String> conflict(PortName name, Object address) {
    if (SERVER.contains(address)) {
      return Optional.of(address + " is that of the DPU, which gives hosts their configuration");
    }
    return Optional.ofNullable(claims.get(new Claim(name.network(), address)))
        .map(other -> address + " is already that of " + other);
  }
}
