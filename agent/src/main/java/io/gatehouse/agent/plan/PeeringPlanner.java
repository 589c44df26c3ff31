package io.gatehouse.agent.plan;

import static io.gatehouse.agent.plan.NetworkPlanner.fromHost;
import static io.gatehouse.agent.plan.pipeline.Priorities.DEFAULT;
import static io.gatehouse.agent.plan.pipeline.Priorities.EXCEPTION;
import static io.gatehouse.agent.plan.pipeline.Priorities.FORBIDDEN;
import static io.gatehouse.agent.plan.pipeline.Priorities.MATCH;
import static io.gatehouse.agent.plan.pipeline.Priorities.PEER;
import static io.gatehouse.agent.plan.pipeline.Priorities.REST_OF_KIND;
import static io.gatehouse.agent.state.PipelineTable.CLASSIFY;
import static io.gatehouse.agent.state.PipelineTable.FORWARD;
import static io.gatehouse.agent.state.PipelineTable.ROUTE;
import static io.gatehouse.agent.state.PipelineTable.SOURCE_GUARD;

import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.plan.pipeline.FlowList;
import io.gatehouse.agent.plan.pipeline.Protocols;
import io.gatehouse.agent.plan.pipeline.Registers;
import io.gatehouse.agent.plan.pipeline.SizeCheck;
import io.gatehouse.agent.state.RouterIdentity;
import io.gatehouse.agent.state.planned.Fragment;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.policy.NetworkPolicy;
import io.gatehouse.model.policy.PeeringPolicy;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.stream.Stream;

/**
 * The flows that take packets of one network to another one that it has agreed with: routed, never
 * bridged. A host sends them to the router, which is no machine but the ROUTE table of its own DPU;
 * it is told the router's MAC address for each address of a peer's port, and for no other.
 */
final class PeeringPlanner {
  private static final MacAddress NO_GROUP = MacAddress.ZERO;
  private static final MacAddress GROUP_BIT = MacAddress.parse("01:00:00:00:00:00");

  /**
   * ICMPv6 that is for the link alone, and that security groups may let through unseen: multicast
   * listener (RFC 2710, 3810) and neighbour discovery (RFC 4861).
   */
  private static final List<Integer> LINK_MESSAGES =
      Stream.concat(
              Protocols.MULTICAST_LISTENERS.stream(),
              Stream.of(
                  Protocols.ROUTER_SOLICITATION,
                  Protocols.ROUTER_ADVERTISEMENT,
                  Protocols.NEIGHBOUR_SOLICITATION,
                  Protocols.NEIGHBOUR_ADVERTISEMENT,
                  Protocols.REDIRECT))
          .toList();

  private PeeringPlanner() {}

  /**
   * Everything the flows of a peering depend on; what leads to a port of the peer is the port's.
   *
   * @param network of this DPU
   * @param vteps of DPUs with a port of the peer, and none of the network itself
   * @param limits bytes of the largest packet that reaches a VTEP, where that is less than both
   *     MTUs
   */
  record Inputs(
      PeeringPolicy peering,
      NetworkPolicy network,
      SortedSet<IpAddress> vteps,
      OptionalInt tunnelPort,
      SortedMap<IpAddress, Integer> limits) {}

  static Fragment plan(Inputs inputs) {
    FlowList flows = new FlowList(inputs.peering().key());
    inputs.tunnelPort().ifPresent(port -> fromTunnels(flows, inputs, port));
    SizeCheck.add(
        flows,
        new SizeCheck.Checked(
            EXCEPTION,
            () ->
                fromHost(inputs.peering().peerVni())
                    .reg(Registers.ROUTED_FROM, inputs.network().vni().value()),
            mtuBytes(inputs.network(), inputs.peering())),
        inputs.limits());
    return flows.fragment(inputs);
  }

  /** As large as both carry. */
  static int mtuBytes(NetworkPolicy network, PeeringPolicy peering) {
    return Math.min(network.mtuBytes(), peering.peerMtuBytes());
  }

  /** What a DPU that has the peer only may send: what was routed there, from the peer's prefix. */
  private static void fromTunnels(FlowList flows, Inputs inputs, int tunnelPort) {
    int vni = inputs.network().vni().value();
    for (IpAddress vtep : inputs.vteps()) {
      for (Cidr prefix : inputs.peering().peerCidrs()) {
        flows.add(
            CLASSIFY,
            MATCH,
            Match.builder()
                .inPort(tunnelPort)
                .tunId(vni)
                .tunSrc(vtep)
                .ethSrc(RouterIdentity.MAC)
                .ethDst(NO_GROUP, GROUP_BIT)
                .ipSrc(prefix),
            Actions.setReg(Registers.NETWORK, vni),
            Actions.setReg(Registers.ORIGIN, Registers.FROM_TUNNEL),
            Actions.resubmit(FORWARD.number()));
      }
    }
  }

  /** Adds what leads to a port from the peers of its network. */
  static void toPort(
      FlowList flows, PeeringCatalog.Audience audience, MacAddress mac, List<IpAddress> addresses) {
    for (PeeringCatalog.Peer peer : audience.peers()) {
      for (IpAddress address : addresses) {
        peer.sourceOf(address)
            .ifPresent(
                source -> {
                  NeighbourPlanner.answer(flows, PEER, peer.vni(), address, RouterIdentity.MAC);
                  flows.add(
                      ROUTE,
                      MATCH,
                      toRouter()
                          .reg(Registers.NETWORK, peer.vni().value())
                          .ipSrc(source)
                          .ipDst(address),
                      Actions.setEthSrc(RouterIdentity.MAC),
                      Actions.setEthDst(mac),
                      Actions.setReg(Registers.NETWORK, audience.vni().value()),
                      Actions.setReg(Registers.ROUTED_FROM, peer.vni().value()),
                      Actions.decTtl(),
                      Actions.resubmit(FORWARD.number()));
                });
      }
    }
  }

  /** Adds what holds whatever the policy. */
  static void ends(FlowList flows) {
    flows.add(SOURCE_GUARD, FORBIDDEN, Match.builder().ethSrc(RouterIdentity.MAC));
    for (int type : LINK_MESSAGES) {
      flows.add(
          ROUTE,
          EXCEPTION,
          toRouter().ethType(Protocols.IPV6).ipProto(Protocols.ICMPV6).icmpType(type));
    }
    // Here and not by the action, which would bother a controller.
    for (int family : List.of(Protocols.IPV4, Protocols.IPV6)) {
      for (int ttl : List.of(0, 1)) {
        flows.add(ROUTE, EXCEPTION, toRouter().ethType(family).field(Field.NW_TTL, Bits.of(ttl)));
      }
    }
    flows.add(ROUTE, REST_OF_KIND, toRouter());
    flows.add(ROUTE, DEFAULT, Match.builder(), Actions.resubmit(FORWARD.number()));
  }

  private static Match.Builder toRouter() {
    return Match.builder().ethDst(RouterIdentity.MAC);
  }
}
