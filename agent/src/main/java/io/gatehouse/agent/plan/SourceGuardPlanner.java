package io.gatehouse.agent.plan;

import static io.gatehouse.agent.plan.Priorities.MATCH;
import static io.gatehouse.agent.plan.Priorities.TRUE_NEIGHBOUR;
import static io.gatehouse.agent.state.PipelineTable.SERVICES;
import static io.gatehouse.agent.state.PipelineTable.SOURCE_GUARD;

import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.policy.LocalPortPolicy;
import java.util.List;
import java.util.stream.Stream;

/**
 * Lets a host speak with its own addresses only: MAC, ARP sender, IPv4 and IPv6 source, neighbour
 * discovery sender and target. What is not let through here meets the end of the table and is gone.
 */
final class SourceGuardPlanner {
  private static final Action PASS = Actions.resubmit(SERVICES.number());

  private SourceGuardPlanner() {}

  static void plan(FlowList flows, LocalPortPolicy port, int openFlowPort) {
    Host host = new Host(openFlowPort, port.mac());
    List<IpAddress> v4 = port.addresses().stream().filter(IpAddress::isV4).toList();
    List<IpAddress> v6 = port.addresses().stream().filter(IpAddress::isV6).toList();
    v4.forEach(address -> ipv4(flows, host, address));
    if (!v4.isEmpty()) {
      arpProbe(flows, host);
    }
    if (v6.isEmpty()) {
      // No IPv6 address, no IPv6: not even link-local.
      return;
    }
    Stream.concat(v6.stream(), Stream.of(port.mac().linkLocal()))
        .distinct()
        .forEach(address -> ipv6(flows, host, address));
  }

  private record Host(int openFlowPort, MacAddress mac) {
    Match.Builder sends(int etherType) {
      return Match.builder().inPort(openFlowPort).ethSrc(mac).ethType(etherType);
    }

    Match.Builder discovers(int type) {
      return sends(Protocols.IPV6).ipProto(Protocols.ICMPV6).icmpType(type);
    }
  }

  private static void ipv4(FlowList flows, Host host, IpAddress address) {
    flows.add(SOURCE_GUARD, MATCH, host.sends(Protocols.IPV4).ipSrc(address), PASS);
    flows.add(
        SOURCE_GUARD, MATCH, host.sends(Protocols.ARP).arpSha(host.mac()).arpSpa(address), PASS);
  }

  /** "Does anybody have this address?", asked before using it (RFC 5227 §2.1.1). */
  private static void arpProbe(FlowList flows, Host host) {
    flows.add(
        SOURCE_GUARD,
        MATCH,
        host.sends(Protocols.ARP)
            .arpSha(host.mac())
            .arpOp(Protocols.ARP_REQUEST)
            .arpSpa(IpAddress.V4_UNSPECIFIED),
        PASS);
  }

  private static void ipv6(FlowList flows, Host host, IpAddress address) {
    flows.add(SOURCE_GUARD, MATCH, host.sends(Protocols.IPV6).ipSrc(address), PASS);
    for (MacAddress option : List.of(host.mac(), MacAddress.ZERO)) {
      // A zero stands for a packet without the option.
      flows.add(
          SOURCE_GUARD,
          TRUE_NEIGHBOUR,
          host.discovers(Protocols.NEIGHBOUR_SOLICITATION).ipSrc(address).ndSll(option),
          PASS);
      flows.add(
          SOURCE_GUARD,
          TRUE_NEIGHBOUR,
          host.discovers(Protocols.NEIGHBOUR_ADVERTISEMENT)
              .ipSrc(address)
              .ndTarget(address)
              .ndTll(option),
          PASS);
    }
    // Duplicate address detection (RFC 4862 §5.4): from nobody, for an address of its own.
    flows.add(
        SOURCE_GUARD,
        TRUE_NEIGHBOUR,
        host.discovers(Protocols.NEIGHBOUR_SOLICITATION)
            .ipSrc(IpAddress.V6_UNSPECIFIED)
            .ndTarget(address),
        PASS);
  }
}
