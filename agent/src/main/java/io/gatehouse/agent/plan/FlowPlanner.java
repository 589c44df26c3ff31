package io.gatehouse.agent.plan;

import io.gatehouse.agent.plan.PeeringCatalog.Audience;
import io.gatehouse.agent.plan.pipeline.TunnelTestPlanner;
import io.gatehouse.agent.plan.security.GroupCatalog;
import io.gatehouse.agent.plan.security.GroupPlanner;
import io.gatehouse.agent.plan.security.PortGroups;
import io.gatehouse.agent.state.Cookies;
import io.gatehouse.agent.state.Facts;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.planned.FlowPlan;
import io.gatehouse.agent.state.planned.Fragment;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.NetworkPolicy;
import io.gatehouse.model.policy.PeeringPolicy;
import io.gatehouse.model.policy.RemotePortPolicy;
import io.gatehouse.model.policy.SecurityGroupPolicy;
import io.gatehouse.model.policy.VtepPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The flows of the whole bridge, in fragments of one owner each.
 *
 * <p>A fragment of the plan before is taken over where its inputs are equal. That saves work and
 * changes nothing: the result is the same whatever plan is given.
 */
final class FlowPlanner {
  private final Facts facts;
  private final FlowPlan previous;
  private final GroupCatalog groups;
  private final PeeringCatalog peerings;
  private final Map<Long, Fragment> fragments = new HashMap<>();
  private final Map<NetworkName, SortedSet<Integer>> localPorts = new HashMap<>();
  private final Map<NetworkName, SortedSet<IpAddress>> vteps = new HashMap<>();
  private final Map<NetworkName, AddressPairs> pairs = new HashMap<>();

  private FlowPlanner(Policy policy, Facts facts, FlowPlan previous) {
    this.facts = facts;
    this.previous = previous;
    this.groups = GroupCatalog.of(policy);
    this.peerings = PeeringCatalog.of(policy);
  }

  /**
   * Plans the flows of what is applied.
   *
   * @param policy only resources that are to be applied
   * @param ports those of this DPU that carry traffic
   */
  static FlowPlan plan(Policy policy, List<BoundPort> ports, Facts facts, FlowPlan previous) {
    FlowPlanner planner = new FlowPlanner(policy, facts, previous);
    OptionalInt tunnel = facts.tunnelPort();
    planner.add(PipelinePlanner.OWNER, new PipelinePlanner.Inputs(tunnel), PipelinePlanner::plan);
    ports.forEach(bound -> planner.localPort(bound));
    if (tunnel.isPresent()) {
      planner.add(
          TunnelTestPlanner.OWNER,
          new TunnelTestPlanner.Inputs(tunnel.getAsInt()),
          TunnelTestPlanner::plan);
      policy.remotePorts().values().forEach(p -> planner.remotePort(policy, p, tunnel.getAsInt()));
    }
    policy.groups().values().forEach(planner::group);
    policy.networks().values().forEach(network -> planner.network(network, tunnel));
    policy.peerings().values().forEach(peering -> planner.peering(policy, peering, tunnel));
    return new FlowPlan(planner.fragments);
  }

  private void localPort(BoundPort bound) {
    LocalPortPolicy port = bound.port();
    OptionalInt openFlowPort = facts.openFlowPort(bound.device());
    NetworkName network = port.name().network();
    Optional<Audience> audience = peerings.audience(network).filter(Audience::home);
    if (openFlowPort.isEmpty() || audience.isEmpty() || !bound.hasItsZone(facts)) {
      return;
    }
    int number = openFlowPort.getAsInt();
    localPorts.computeIfAbsent(network, name -> new TreeSet<>()).add(number);
    pairs(network).addLocal(port.security(), number);
    add(
        port.key(),
        new LocalPortPlanner.Inputs(port, audience.get(), number, groupsOf(bound)),
        LocalPortPlanner::plan);
  }

  private PortGroups groupsOf(BoundPort bound) {
    return bound.zone().map(zone -> groups.of(bound.port(), zone.number())).orElse(PortGroups.NONE);
  }

  private void group(SecurityGroupPolicy group) {
    add(group.key(), groups.inputs(group), GroupPlanner::plan);
  }

  private void remotePort(Policy policy, RemotePortPolicy port, int tunnelPort) {
    NetworkName network = port.name().network();
    Optional<Audience> audience = peerings.audience(network);
    VtepPolicy vtep = policy.vteps().get(port.dpu());
    if (audience.isEmpty() || vtep == null) {
      return;
    }
    vteps.computeIfAbsent(network, name -> new TreeSet<>()).add(vtep.address());
    pairs(network).addRemote(port.security(), vtep.address());
    add(
        port.key(),
        new RemotePortPlanner.Inputs(port, audience.get(), vtep.address(), tunnelPort),
        RemotePortPlanner::plan);
  }

  private void network(NetworkPolicy network, OptionalInt tunnel) {
    add(
        network.key(),
        new NetworkPlanner.Inputs(
            network,
            vteps(network.name()),
            localPorts.getOrDefault(network.name(), Collections.emptySortedSet()),
            tunnel,
            pairs(network.name()),
            limits(network.name(), network.mtuBytes())),
        NetworkPlanner::plan);
  }

  private void peering(Policy policy, PeeringPolicy peering, OptionalInt tunnel) {
    NetworkPolicy network = policy.networks().get(peering.name().network());
    if (network == null) {
      return;
    }
    SortedSet<IpAddress> others = new TreeSet<>(vteps(peering.peer()));
    others.removeAll(vteps(network.name()));
    add(
        peering.key(),
        new PeeringPlanner.Inputs(
            peering,
            network,
            others,
            tunnel,
            limits(peering.peer(), PeeringPlanner.mtuBytes(network, peering))),
        PeeringPlanner::plan);
  }

  /** Of paths to the DPUs of a network those that carry less. */
  private SortedMap<IpAddress, Integer> limits(NetworkName network, int mtuBytes) {
    SortedMap<IpAddress, Integer> limits = new TreeMap<>();
    for (IpAddress vtep : vteps(network)) {
      Integer bytes = facts.pathLimits().get(vtep);
      if (bytes != null && bytes < mtuBytes) {
        limits.put(vtep, bytes);
      }
    }
    return limits;
  }

  private SortedSet<IpAddress> vteps(NetworkName network) {
    return vteps.getOrDefault(network, Collections.emptySortedSet());
  }

  private AddressPairs pairs(NetworkName network) {
    return pairs.computeIfAbsent(network, name -> AddressPairs.collecting());
  }

  private <I> void add(String owner, I inputs, Function<I, Fragment> plan) {
    long cookie = Cookies.of(owner);
    Fragment known = previous.fragments().get(cookie);
    Fragment fragment = known != null && known.inputs().equals(inputs) ? known : plan.apply(inputs);
    fragments.merge(cookie, fragment, FlowPlanner::join);
  }

  /** Two owners whose names have the same hash share a cookie, and so a fragment. */
  private static Fragment join(Fragment one, Fragment two) {
    List<io.gatehouse.agent.flow.Flow> flows = new ArrayList<>(one.flows());
    flows.addAll(two.flows());
    List<io.gatehouse.agent.flow.RateMeter> meters = new ArrayList<>(one.meters());
    meters.addAll(two.meters());
    List<io.gatehouse.agent.state.planned.ConnectionLimit> limits = new ArrayList<>(one.limits());
    limits.addAll(two.limits());
    return new Fragment(
        one.owner() + " " + two.owner(),
        List.of(one.inputs(), two.inputs()),
        flows,
        meters,
        limits);
  }
}
