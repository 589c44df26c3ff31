package io.gatehouse.agent.prove;

import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.SecurityGroupPolicy;
import io.gatehouse.model.security.PortSecurity;
import io.gatehouse.model.security.Remote;
import io.gatehouse.model.security.SecurityRule;
import io.gatehouse.model.security.Traffic;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether a port's security groups let the first packet of a connection through: rule by rule, as
 * the contract words it, and by no other means.
 */
final class GroupRules {
  private final Policy policy;

  GroupRules(Policy policy) {
    this.policy = policy;
  }

  /** The rules of a port, whatever their order. */
  List<SecurityRule> of(PortSecurity security, SecurityRule.Direction direction) {
    return security.groups().stream()
        .map(group -> Optional.ofNullable(policy.groups().get(group)))
        .flatMap(Optional::stream)
        .map(SecurityGroupPolicy::rules)
        .flatMap(List::stream)
        .filter(rule -> rule.direction() == direction)
        .toList();
  }

  boolean allow(LocalPortPolicy port, SecurityRule.Direction direction, Headers headers) {
    PortSecurity security = port.security();
    if (security.groups().isEmpty()) {
      return true;
    }
    NetworkName network = port.name().network();
    IpAddress remote =
        direction == SecurityRule.Direction.EGRESS ? headers.ipDestination() : headers.ipSource();
    return of(security, direction).stream()
        .anyMatch(rule -> isOf(rule.traffic(), headers) && isOf(rule.remote(), remote, network));
  }

  private static boolean isOf(Traffic traffic, Headers headers) {
    if (traffic instanceof Traffic.Ports ports) {
      int to = headers.number(destination(ports.transport()));
      return headers.protocol() == ports.transport().protocol()
          && (ports.isEveryPort() || (to >= ports.firstPort() && to <= ports.lastPort()));
    }
    if (traffic instanceof Traffic.Icmp icmp) {
      return icmp.family() == IpAddress.Family.V4
          ? headers.isV4() && isOf(icmp, headers, Headers.ICMP, Field.ICMP_TYPE, Field.ICMP_CODE)
          : headers.isV6()
              && isOf(icmp, headers, Headers.ICMPV6, Field.ICMPV6_TYPE, Field.ICMPV6_CODE);
    }
    if (traffic instanceof Traffic.Protocol protocol) {
      return headers.protocol() == protocol.number();
    }
    return true;
  }

  private static boolean isOf(
      Traffic.Icmp icmp, Headers headers, int protocol, Field type, Field code) {
    return headers.protocol() == protocol
        && (icmp.type().isEmpty() || headers.number(type) == icmp.type().getAsInt())
        && (icmp.code().isEmpty() || headers.number(code) == icmp.code().getAsInt());
  }

  static Field destination(Traffic.Transport transport) {
    return switch (transport) {
      case TCP -> Field.TCP_DST;
      case UDP -> Field.UDP_DST;
      case SCTP -> Field.SCTP_DST;
    };
  }

  private boolean isOf(Remote remote, IpAddress address, NetworkName network) {
    if (remote instanceof Remote.Prefix prefix) {
      return SourceRules.isIn(prefix.cidr(), address);
    }
    if (remote instanceof Remote.Group group) {
      return members(group.group(), network).anyMatch(member -> member.has(address));
    }
    return true;
  }

  private record Member(PortName name, List<IpAddress> addresses, PortSecurity security) {
    boolean has(IpAddress address) {
      return addresses.contains(address)
          || security.allowedPairs().stream()
              .anyMatch(pair -> SourceRules.isIn(pair.addresses(), address));
    }
  }

  /** Members are known by their addresses, which are theirs in their own network only. */
  private Stream<Member> members(SecurityGroupName group, NetworkName network) {
    Stream<Member> local =
        policy.localPorts().values().stream()
            .map(p -> new Member(p.name(), p.addresses(), p.security()));
    Stream<Member> remote =
        policy.remotePorts().values().stream()
            .map(p -> new Member(p.name(), p.addresses(), p.security()));
    return Stream.concat(local, remote)
        .filter(member -> member.name().network().equals(network))
        .filter(member -> member.security().groups().contains(group));
  }
}
