package io.gatehouse.agent.serve;

import io.gatehouse.agent.dhcp.HostTerms;
import io.gatehouse.agent.state.Facts;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.planned.Plan;
import io.gatehouse.agent.state.planned.PortPlan;
import io.gatehouse.model.HostConfiguration.Route;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.NetworkPolicy;
import io.gatehouse.model.policy.PeeringPolicy;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which host is behind which OpenFlow port, and what it is told.
 *
 * @param hosts by OpenFlow port; only ports that the plan has on the bridge
 */
public record HostDirectory(Map<Integer, HostTerms> hosts) {
  public static final HostDirectory EMPTY = new HostDirectory(Map.of());

  public HostDirectory {
    hosts = Collections.unmodifiableMap(hosts);
  }

  /**
   * Reads it out of a plan.
   *
   * @param policy that the plan was made from
   * @param facts that the plan was made from
   */
  public static HostDirectory of(Plan plan, Policy policy, Facts facts) {
    Map<String, LocalPortPolicy> byKey = new HashMap<>();
    policy.localPorts().values().forEach(port -> byKey.put(port.key(), port));
    Map<NetworkName, Map<IpAddress, MacAddress>> neighbours = neighbours(policy);
    Map<NetworkName, List<PeeringPolicy>> peerings = peerings(plan, policy);
    Map<Integer, HostTerms> hosts = new HashMap<>();
    for (PortPlan planned : plan.bridge().ports().values()) {
      LocalPortPolicy port = byKey.get(planned.owner());
      NetworkPolicy network = port == null ? null : policy.networks().get(port.name().network());
      if (port != null && network != null) {
        HostTerms terms =
            new HostTerms(
                port,
                network,
                peerings.getOrDefault(network.name(), List.of()),
                neighbours.getOrDefault(network.name(), Map.of()));
        facts.openFlowPort(planned.device()).ifPresent(number -> hosts.put(number, terms));
      }
    }
    return new HostDirectory(hosts);
  }

  public Optional<HostTerms> at(int openFlowPort) {
    return Optional.ofNullable(hosts.get(openFlowPort));
  }

  /** Those that are in force, by their networks here. */
  private static Map<NetworkName, List<PeeringPolicy>> peerings(Plan plan, Policy policy) {
    Set<String> closed = new HashSet<>();
    plan.problems().forEach(problem -> closed.add(problem.resource()));
    return policy.peerings().values().stream()
        .filter(peering -> !closed.contains(peering.key()))
        .collect(Collectors.groupingBy(peering -> peering.name().network()));
  }

  /** Next hops that are ports of their network, with their MAC addresses. */
  private static Map<NetworkName, Map<IpAddress, MacAddress>> neighbours(Policy policy) {
    Map<NetworkName, Map<IpAddress, MacAddress>> found = new HashMap<>();
    for (NetworkPolicy network : policy.networks().values()) {
      for (Route route : network.hosts().routes()) {
        found.computeIfAbsent(network.name(), name -> new HashMap<>());
        macOf(policy, network.name(), route.nextHop())
            .ifPresent(mac -> found.get(network.name()).put(route.nextHop(), mac));
      }
    }
    return found;
  }

  private static Optional<MacAddress> macOf(Policy policy, NetworkName network, IpAddress wanted) {
    return policy.localPorts().values().stream()
        .filter(port -> isOf(port.name(), network) && port.addresses().contains(wanted))
        .map(LocalPortPolicy::mac)
        .findFirst()
        .or(
            () ->
                policy.remotePorts().values().stream()
                    .filter(port -> isOf(port.name(), network) && port.addresses().contains(wanted))
                    .map(port -> port.mac())
                    .findFirst());
  }

  private static boolean isOf(PortName port, NetworkName network) {
    return port.network().equals(network);
  }
}
