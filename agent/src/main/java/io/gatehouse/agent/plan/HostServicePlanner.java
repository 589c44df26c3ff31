package io.gatehouse.agent.plan;

import static io.gatehouse.agent.plan.pipeline.Priorities.EXCEPTION;
import static io.gatehouse.agent.plan.pipeline.Priorities.MATCH;
import static io.gatehouse.agent.state.PipelineTable.SERVICES;
import static io.gatehouse.agent.state.PipelineTable.SOURCE_GUARD;

import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.plan.pipeline.FlowList;
import io.gatehouse.agent.plan.pipeline.Protocols;
import io.gatehouse.agent.state.PuntKind;
import io.gatehouse.agent.state.ServerIdentity;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.NetworkPolicy;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes a host's questions for its configuration to the agent: DHCP (RFC 2131, 8415) and router
 * solicitations (RFC 4861 §4.1). None of them reaches another host.
 */
final class HostServicePlanner {
  private static final IpAddress EVERYBODY = IpAddress.parse("255.255.255.255");
  private static final IpAddress ALL_DHCP_SERVERS = IpAddress.parse("ff02::1:2");
  private static final IpAddress ALL_ROUTERS = IpAddress.parse("ff02::2");

  private HostServicePlanner() {}

  /**
   * What a host asks the agent: all of it ends in SERVICES, whatever else a packet holds.
   *
   * @return matches, each new
   */
  static List<Match.Builder> questions(LocalPortPolicy port, int openFlowPort) {
    List<Match.Builder> questions = new ArrayList<>();
    if (port.addresses().stream().anyMatch(IpAddress::isV4)) {
      questions.add(dhcpv4(port, openFlowPort));
    }
    if (port.addresses().stream().anyMatch(IpAddress::isV6)) {
      questions.add(
          sends(port, openFlowPort, Protocols.IPV6)
              .ipDst(ALL_DHCP_SERVERS)
              .ipProto(Protocols.UDP)
              .udpSrc(Protocols.DHCPV6_CLIENT_PORT)
              .udpDst(Protocols.DHCPV6_SERVER_PORT));
      questions.add(
          sends(port, openFlowPort, Protocols.IPV6)
              .ipDst(ALL_ROUTERS)
              .ipProto(Protocols.ICMPV6)
              .icmpType(Protocols.ROUTER_SOLICITATION));
    }
    return questions;
  }

  /** Adds the flows of a port. */
  static void port(FlowList flows, LocalPortPolicy port, int openFlowPort) {
    // A storm of questions ends in the switch, at no cost for the others.
    List<Action> ask =
        List.of(
            PortMeterPlanner.punt(flows, openFlowPort),
            Actions.controller(0, PuntKind.HOST_QUESTION.code()));
    if (port.addresses().stream().anyMatch(IpAddress::isV4)) {
      // Before it has an address a host speaks from none, and to the server only.
      flows.add(
          SOURCE_GUARD,
          MATCH,
          dhcpv4(port, openFlowPort).ipSrc(IpAddress.V4_UNSPECIFIED).ipDst(EVERYBODY),
          Actions.resubmit(SERVICES.number()));
    }
    questions(port, openFlowPort).forEach(match -> flows.add(SERVICES, EXCEPTION, match, ask));
  }

  private static Match.Builder dhcpv4(LocalPortPolicy port, int openFlowPort) {
    return sends(port, openFlowPort, Protocols.IPV4)
        .ipProto(Protocols.UDP)
        .udpSrc(Protocols.DHCPV4_CLIENT_PORT)
        .udpDst(Protocols.DHCPV4_SERVER_PORT);
  }

  private static Match.Builder sends(LocalPortPolicy port, int openFlowPort, int etherType) {
    return Match.builder().inPort(openFlowPort).ethSrc(port.mac()).ethType(etherType);
  }

  /** Adds the flows by which the hosts of a network find the server's MAC address. */
  static void network(FlowList flows, NetworkPolicy network) {
    network.cidrs().stream()
        .map(cidr -> cidr.address().isV4() ? ServerIdentity.IPV4 : ServerIdentity.LINK_LOCAL)
        .forEach(
            address -> NeighbourPlanner.answer(flows, network.vni(), address, ServerIdentity.MAC));
  }
}
