package io.gatehouse.agent.plan.security;

import io.gatehouse.agent.plan.security.GroupPlanner.Member;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.NetworkPolicy;
import io.gatehouse.model.policy.RemotePortPolicy;
import io.gatehouse.model.policy.SecurityGroupPolicy;
import io.gatehouse.model.security.PortSecurity;
import io.gatehouse.model.security.Remote;
import io.gatehouse.model.security.SecurityRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** The groups of a policy: their numbers, and the addresses of those who have each. */
public final class GroupCatalog {
  // Hashed: a plan looks groups up by their names thousands of times.
  private final Map<SecurityGroupName, Long> numbers;
  private final Map<SecurityGroupName, List<Member>> members = new HashMap<>();

  private GroupCatalog(Policy policy) {
    numbers = new HashMap<>(StableNumbers.of(new TreeSet<>(policy.groups().keySet()), -1L));
    Members found = new Members(new HashMap<>());
    policy.groups().values().forEach(group -> group.rules().forEach(found::expect));
    if (found.byGroup().isEmpty()) {
      return;
    }
    for (LocalPortPolicy port : policy.localPorts().values()) {
      network(policy, port.name()).ifPresent(n -> found.add(n, port.security(), port.addresses()));
    }
    for (RemotePortPolicy port : policy.remotePorts().values()) {
      network(policy, port.name()).ifPresent(n -> found.add(n, port.security(), port.addresses()));
    }
    found.byGroup().forEach((group, addresses) -> members.put(group, List.copyOf(addresses)));
  }

  /** Empty for a peer's: its ports are in no group here. */
  private static Optional<NetworkPolicy> network(Policy policy, PortName port) {
    return Optional.ofNullable(policy.networks().get(port.network()));
  }

  public static GroupCatalog of(Policy policy) {
    return new GroupCatalog(policy);
  }

  /**
   * Addresses in the order of the ports, which is that of their names. Only groups that a rule
   * names need their members known. An address may be there twice; it is one flow all the same.
   */
  private record Members(Map<SecurityGroupName, List<Member>> byGroup) {
    void expect(SecurityRule rule) {
      if (rule.remote() instanceof Remote.Group remote) {
        byGroup.computeIfAbsent(remote.group(), name -> new ArrayList<>());
      }
    }

    void add(NetworkPolicy network, PortSecurity security, List<IpAddress> addresses) {
      if (security.groups().isEmpty()) {
        return;
      }
      int vni = network.vni().value();
      List<Member> all = new ArrayList<>();
      addresses.forEach(a -> all.add(new Member(vni, new Cidr(a, a.family().bits()))));
      security.allowedPairs().forEach(pair -> all.add(new Member(vni, pair.addresses())));
      for (SecurityGroupName group : security.groups()) {
        List<Member> known = byGroup.get(group);
        if (known != null) {
          known.addAll(all);
        }
      }
    }
  }

  /** What the flows of a port with groups, all of which are known, are made from. */
  public PortGroups of(LocalPortPolicy port, int zone) {
    List<Long> called =
        port.security().groups().stream().map(name -> StableNumbers.of(name, numbers)).toList();
    return new PortGroups(zone, called);
  }

  /** What the flows of a group are made from. */
  public GroupPlanner.Inputs inputs(SecurityGroupPolicy group) {
    SortedMap<SecurityGroupName, List<Member>> named = new TreeMap<>();
    for (SecurityRule rule : group.rules()) {
      if (rule.remote() instanceof Remote.Group remote) {
        named.computeIfAbsent(remote.group(), name -> members.getOrDefault(name, List.of()));
      }
    }
    return new GroupPlanner.Inputs(group, StableNumbers.of(group.name(), numbers), named);
  }
}
