package io.gatehouse.agent.plan;

import static io.gatehouse.agent.plan.pipeline.Priorities.MATCH;
import static io.gatehouse.agent.state.PipelineTable.ADVERTISE;
import static io.gatehouse.agent.state.PipelineTable.SERVICES;

import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.plan.pipeline.FlowList;
import io.gatehouse.agent.plan.pipeline.Protocols;
import io.gatehouse.agent.plan.pipeline.Registers;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.net.Vni;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Answers to "who has this address", made by the switch out of the question itself: ARP (RFC 826)
 * and neighbour solicitation (RFC 4861 §7.2). The network carries no such broadcast at all.
 */
final class NeighbourPlanner {
  private NeighbourPlanner() {}

  /** Matches a question for an address. */
  static Match.Builder request(IpAddress address) {
    return address.isV4() ? anyArpRequest().arpTpa(address) : anySolicitation().ndTarget(address);
  }

  static Match.Builder anyArpRequest() {
    return Match.builder().ethType(Protocols.ARP).arpOp(Protocols.ARP_REQUEST);
  }

  static Match.Builder anySolicitation() {
    return Match.builder()
        .ethType(Protocols.IPV6)
        .ipProto(Protocols.ICMPV6)
        .icmpType(Protocols.NEIGHBOUR_SOLICITATION);
  }

  /**
   * The addresses of a port that are answered for: those of the policy, and with one of IPv6 the
   * link-local one, which is a router's to its hosts.
   */
  static Set<IpAddress> answered(List<IpAddress> addresses, MacAddress mac) {
    Set<IpAddress> all = new LinkedHashSet<>(addresses);
    if (addresses.stream().anyMatch(IpAddress::isV6)) {
      all.add(mac.linkLocal());
    }
    return all;
  }

  /** Adds the flow that answers for an address of a network with a MAC address. */
  static void answer(FlowList flows, Vni vni, IpAddress address, MacAddress mac) {
    answer(flows, MATCH, vni, address, mac);
  }

  /** The same, at a priority of its own. */
  static void answer(FlowList flows, int priority, Vni vni, IpAddress address, MacAddress mac) {
    Match.Builder match = request(address).reg(Registers.NETWORK, vni.value());
    if (address.isV4()) {
      arpReply(flows, priority, match, address, mac);
      return;
    }
    advertisement(flows, priority, match, address, mac);
  }

  private static void arpReply(
      FlowList flows, int priority, Match.Builder match, IpAddress address, MacAddress mac) {
    flows.add(
        SERVICES,
        priority,
        match,
        Actions.move(Field.ETH_SRC, Field.ETH_DST),
        Actions.setEthSrc(mac),
        Actions.setArpOp(Protocols.ARP_REPLY),
        Actions.move(Field.ARP_SHA, Field.ARP_THA),
        Actions.setArpSha(mac),
        Actions.move(Field.ARP_SPA, Field.ARP_TPA),
        Actions.setArpSpa(address),
        Actions.inPort());
  }

  private static void advertisement(
      FlowList flows, int priority, Match.Builder match, IpAddress address, MacAddress mac) {
    flows.add(
        SERVICES,
        priority,
        match,
        Actions.move(Field.ETH_SRC, Field.ETH_DST),
        Actions.setEthSrc(mac),
        Actions.move(Field.IPV6_SRC, Field.IPV6_DST),
        Actions.setIpSrc(address),
        Actions.setIcmpV6Type(Protocols.NEIGHBOUR_ADVERTISEMENT),
        Actions.resubmit(ADVERTISE.number()));
  }

  /**
   * Adds the one flow that completes every advertisement. It is in a table of its own because the
   * switch allows the target's link-layer address to be set only where the packet is known to be an
   * advertisement.
   */
  static void completeAdvertisements(FlowList flows) {
    flows.add(
        ADVERTISE,
        MATCH,
        Match.builder()
            .ethType(Protocols.IPV6)
            .ipProto(Protocols.ICMPV6)
            .icmpType(Protocols.NEIGHBOUR_ADVERTISEMENT),
        Actions.setNdReserved(Protocols.SOLICITED_OVERRIDE),
        // The solicitation's option "my address" becomes the answer's "its address".
        Actions.setNdOptionsType(Protocols.TARGET_LINK_LAYER_OPTION),
        Actions.move(Field.ETH_SRC, Field.ND_TLL),
        Actions.inPort());
  }
}
