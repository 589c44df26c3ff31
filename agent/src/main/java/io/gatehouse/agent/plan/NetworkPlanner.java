package io.gatehouse.agent.plan;

import static io.gatehouse.agent.plan.Priorities.MATCH;
import static io.gatehouse.agent.plan.Priorities.REST_OF_KIND;
import static io.gatehouse.agent.state.PipelineTable.CLASSIFY;
import static io.gatehouse.agent.state.PipelineTable.FORWARD;
import static io.gatehouse.agent.state.PipelineTable.INGRESS_CT;
import static io.gatehouse.agent.state.PipelineTable.OUTPUT;

import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.state.planned.Fragment;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.policy.NetworkPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedSet;

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
   */
  record Inputs(
      NetworkPolicy network,
      SortedSet<IpAddress> vteps,
      SortedSet<Integer> localPorts,
      OptionalInt tunnelPort) {}

  static Fragment plan(Inputs inputs) {
    FlowList flows = new FlowList(inputs.network().key());
    inputs.tunnelPort().ifPresent(port -> fromTunnels(flows, inputs, port));
    List<List<Action>> local = inputs.localPorts().stream().map(NetworkPlanner::toHost).toList();
    replicate(flows, inputs, Registers.FROM_TUNNEL, local);
    List<List<Action>> all = new ArrayList<>(local);
    inputs
        .tunnelPort()
        .ifPresent(port -> inputs.vteps().forEach(vtep -> all.add(toTunnel(vtep, port))));
    replicate(flows, inputs, Registers.FROM_HOST, all);
    return flows.fragment(inputs);
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

  /** Writes a replication list as a chain of flows, each of which ends by calling the next. */
  private static void replicate(
      FlowList flows, Inputs inputs, int origin, List<List<Action>> copies) {
    for (int from = 0, part = 0; from < copies.size(); from += COPIES_PER_FLOW, part++) {
      int to = Math.min(from + COPIES_PER_FLOW, copies.size());
      List<Action> actions = new ArrayList<>();
      copies.subList(from, to).forEach(actions::addAll);
      if (to < copies.size()) {
        actions.add(Actions.setReg(Registers.REPLICATION, part + 1L));
        actions.add(Actions.resubmit(FORWARD.number()));
      }
      flows.add(FORWARD, REST_OF_KIND, group(inputs, origin, part), actions);
    }
  }

  private static Match.Builder group(Inputs inputs, int origin, int part) {
    return Match.builder()
        .reg(Registers.NETWORK, inputs.network().vni().value())
        .reg(Registers.ORIGIN, origin)
        .reg(Registers.REPLICATION, part)
        .ethDst(GROUP_BIT, GROUP_BIT);
  }
}
