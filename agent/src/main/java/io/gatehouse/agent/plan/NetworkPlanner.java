package io.gatehouse.agent.plan;

import static io.gatehouse.agent.plan.pipeline.Priorities.MATCH;
import static io.gatehouse.agent.plan.pipeline.Priorities.REST_OF_KIND;
import static io.gatehouse.agent.plan.pipeline.Priorities.SHARED;
import static io.gatehouse.agent.state.PipelineTable.CLASSIFY;
import static io.gatehouse.agent.state.PipelineTable.FORWARD;
import static io.gatehouse.agent.state.PipelineTable.INGRESS_CT;
import static io.gatehouse.agent.state.PipelineTable.MTU;
import static io.gatehouse.agent.state.PipelineTable.OUTPUT;
import static io.gatehouse.agent.state.PipelineTable.SERVICES;

import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.plan.pipeline.FlowList;
import io.gatehouse.agent.plan.pipeline.Registers;
import io.gatehouse.agent.plan.pipeline.SizeCheck;
import io.gatehouse.agent.state.planned.Fragment;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.net.Vni;
import io.gatehouse.model.policy.NetworkPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.UnaryOperator;

/**
 * The flows of a network as a whole: from which tunnels its packets may come, and to whom a
 * broadcast goes. Replication is at the head end (RFC 7348 §4.2 without a multicast underlay): once
 * for each DPU that has a port in the network, and for nobody else.
 */
final class NetworkPlanner {
  /** Copies that one flow makes; the next flow of the list makes the others. */
  private static final int COPIES_PER_FLOW = 100;

  private static final MacAddress GROUP_BIT = MacAddress.parse("01:00:00:00:00:00");

  private NetworkPlanner() {}

  /**
   * Everything the flows of a network depend on.
   *
   * @param vteps addresses of the other DPUs with a port in the network
   * @param localPorts OpenFlow ports of its ports here
   * @param pairs of all its ports
   * @param limits bytes of the largest packet that reaches a VTEP, where that is less than the MTU
   */
  record Inputs(
      NetworkPolicy network,
      SortedSet<IpAddress> vteps,
      SortedSet<Integer> localPorts,
      OptionalInt tunnelPort,
      AddressPairs pairs,
      SortedMap<IpAddress, Integer> limits) {}

  static Fragment plan(Inputs inputs) {
    FlowList flows = new FlowList(inputs.network().key());
    HostServicePlanner.network(flows, inputs.network());
    Vni vni = inputs.network().vni();
    SizeCheck.add(
        flows,
        new SizeCheck.Checked(MATCH, () -> fromHost(vni), inputs.network().mtuBytes()),
        inputs.limits());
    inputs.tunnelPort().ifPresent(port -> fromTunnels(flows, inputs, port));
    List<List<Action>> local = copies(inputs, inputs.localPorts(), noVteps());
    replicate(
        flows,
        list(inputs, Registers.FROM_TUNNEL, REST_OF_KIND, NetworkPlanner::toGroup),
        0,
        local);
    List<List<Action>> all = copiesOfHost(inputs, inputs.localPorts(), inputs.vteps());
    // What a host sends to all has met its limit before, which has set the first part to 1.
    replicate(
        flows, list(inputs, Registers.FROM_HOST, REST_OF_KIND, NetworkPlanner::toGroup), 1, all);
    inputs.pairs().addresses().forEach(cidr -> askAll(flows, inputs, cidr));
    inputs.pairs().macs().forEach((mac, holders) -> toHolders(flows, inputs, mac, holders));
    return flows.fragment(inputs);
  }

  /** What a host has sent into a network, or was routed there. */
  static Match.Builder fromHost(Vni vni) {
    return Match.builder()
        .reg(Registers.NETWORK, vni.value())
        .reg(Registers.ORIGIN, Registers.FROM_HOST);
  }

  /** A question that no port's own address answers is for those who may have the address. */
  private static void askAll(FlowList flows, Inputs inputs, Cidr cidr) {
    Match.Builder question =
        cidr.address().isV4()
            ? NeighbourPlanner.anyArpRequest().prefix(Field.ARP_TPA, cidr)
            : NeighbourPlanner.anySolicitation().prefix(Field.ND_TARGET, cidr);
    flows.add(
        SERVICES,
        SHARED,
        question.reg(Registers.NETWORK, inputs.network().vni().value()),
        Actions.resubmit(FORWARD.number()));
  }

  private static void toHolders(
      FlowList flows, Inputs inputs, MacAddress mac, AddressPairs.Holders holders) {
    UnaryOperator<Match.Builder> target = match -> match.ethDst(mac);
    replicate(
        flows,
        list(inputs, Registers.FROM_TUNNEL, SHARED, target),
        0,
        copies(inputs, holders.localPorts(), noVteps()));
    replicate(
        flows,
        list(inputs, Registers.FROM_HOST, SHARED, target),
        0,
        copiesOfHost(inputs, holders.localPorts(), holders.vteps()));
  }

  private static SortedSet<IpAddress> noVteps() {
    return Collections.emptySortedSet();
  }

  private static List<List<Action>> copies(
      Inputs inputs, SortedSet<Integer> ports, SortedSet<IpAddress> vteps) {
    List<List<Action>> copies = new ArrayList<>();
    ports.forEach(port -> copies.add(toHost(port)));
    inputs
        .tunnelPort()
        .ifPresent(tunnel -> vteps.forEach(vtep -> copies.add(toTunnel(vtep, tunnel))));
    return copies;
  }

  /**
   * Copies of what a host sends, and before them the question whether it is too large. The copies
   * do not stand behind the answer: what does is a branch in the datapath, and a branch of more
   * than 64 KB ends ovs-vswitchd (docs/decisions/0084).
   */
  private static List<List<Action>> copiesOfHost(
      Inputs inputs, SortedSet<Integer> ports, SortedSet<IpAddress> vteps) {
    List<List<Action>> copies = new ArrayList<>();
    copies.add(List.of(Actions.resubmit(MTU.number())));
    copies.addAll(copies(inputs, ports, vteps));
    return copies;
  }

  private static void fromTunnels(FlowList flows, Inputs inputs, int tunnelPort) {
    int vni = inputs.network().vni().value();
    for (IpAddress vtep : inputs.vteps()) {
      flows.add(
          CLASSIFY,
          MATCH,
          Match.builder().inPort(tunnelPort).tunId(vni).tunSrc(vtep),
          Actions.setReg(Registers.NETWORK, vni),
          Actions.setReg(Registers.ORIGIN, Registers.FROM_TUNNEL),
          Actions.resubmit(FORWARD.number()));
    }
  }

  private static List<Action> toHost(int openFlowPort) {
    return List.of(
        Actions.setReg(Registers.OUTPUT, openFlowPort), Actions.resubmit(INGRESS_CT.number()));
  }

  private static List<Action> toTunnel(IpAddress vtep, int tunnelPort) {
    return List.of(
        Actions.setTunDst(vtep),
        Actions.setReg(Registers.OUTPUT, tunnelPort),
        Actions.resubmit(OUTPUT.number()));
  }

  private static Match.Builder toGroup(Match.Builder match) {
    return match.ethDst(GROUP_BIT, GROUP_BIT);
  }

  /** Where a replication list stands: the flow of its part with this number. */
  private interface ListPart {
    void write(FlowList flows, int part, List<Action> actions);
  }

  private static ListPart list(
      Inputs inputs, int origin, int priority, UnaryOperator<Match.Builder> target) {
    return (flows, part, actions) ->
        flows.add(
            FORWARD,
            priority,
            target.apply(
                Match.builder()
                    .reg(Registers.NETWORK, inputs.network().vni().value())
                    .reg(Registers.ORIGIN, origin)
                    .reg(Registers.REPLICATION, part)),
            actions);
  }

  /** Writes a replication list as a chain of flows, each of which ends by calling the next. */
  private static void replicate(
      FlowList flows, ListPart list, int first, List<List<Action>> copies) {
    for (int from = 0, part = first; from < copies.size(); from += COPIES_PER_FLOW, part++) {
      int to = Math.min(from + COPIES_PER_FLOW, copies.size());
      List<Action> actions = new ArrayList<>();
      actions.add(Actions.setReg(Registers.REPLICATION, part + 1L));
      copies.subList(from, to).forEach(actions::addAll);
      if (to < copies.size()) {
        actions.add(Actions.resubmit(FORWARD.number()));
      }
      list.write(flows, part, actions);
    }
  }
}
