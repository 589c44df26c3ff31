package io.gatehouse.agent.plan;

import static io.gatehouse.agent.plan.pipeline.Priorities.EXCEPTION;
import static io.gatehouse.agent.plan.pipeline.Priorities.MATCH;
import static io.gatehouse.agent.state.PipelineTable.CLASSIFY;
import static io.gatehouse.agent.state.PipelineTable.FORWARD;
import static io.gatehouse.agent.state.PipelineTable.MTU;
import static io.gatehouse.agent.state.PipelineTable.OVERSIZE;
import static io.gatehouse.agent.state.PipelineTable.SERVICES;
import static io.gatehouse.agent.state.PipelineTable.SOURCE_GUARD;

import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.plan.pipeline.FlowList;
import io.gatehouse.agent.plan.pipeline.Registers;
import io.gatehouse.agent.plan.security.PortGroups;
import io.gatehouse.agent.state.PuntKind;
import io.gatehouse.agent.state.planned.Fragment;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.Vni;
import io.gatehouse.model.policy.LocalPortPolicy;
import java.util.List;

/** The flows of a port of this DPU: from its host, and to it. */
final class LocalPortPlanner {
  private LocalPortPlanner() {}

  /** Everything the flows of a local port depend on. */
  record Inputs(
      LocalPortPolicy port, PeeringCatalog.Audience audience, int openFlowPort, PortGroups groups) {
    Vni vni() {
      return audience.vni();
    }
  }

  static Fragment plan(Inputs inputs) {
    FlowList flows = new FlowList(inputs.port().key());
    fromHost(flows, inputs);
    SourceGuardPlanner.plan(flows, inputs.port(), inputs.openFlowPort());
    services(flows, inputs);
    HostServicePlanner.port(flows, inputs.port(), inputs.openFlowPort());
    SecurityPlanner.port(flows, inputs);
    oversize(flows, inputs.openFlowPort());
    toHost(flows, inputs);
    return flows.fragment(inputs);
  }

  private static void fromHost(FlowList flows, Inputs inputs) {
    List<Action> actions =
        PortMeterPlanner.fromHost(flows, inputs, Actions.resubmit(SOURCE_GUARD.number()));
    flows.add(CLASSIFY, MATCH, Match.builder().inPort(inputs.openFlowPort()), actions);
    inputs
        .port()
        .quarantine()
        .ifPresent(quarantine -> QuarantinePlanner.plan(flows, inputs, quarantine, actions));
    PortMeterPlanner.broadcasts(flows, inputs.openFlowPort());
  }

  private static void services(FlowList flows, Inputs inputs) {
    LocalPortPolicy port = inputs.port();
    for (IpAddress address : NeighbourPlanner.answered(port.addresses(), port.mac())) {
      // A host that probes its own address must hear nothing, or it takes it for a duplicate.
      flows.add(
          SERVICES, EXCEPTION, NeighbourPlanner.request(address).inPort(inputs.openFlowPort()));
      NeighbourPlanner.answer(flows, inputs.vni(), address, port.mac());
    }
    PeeringPlanner.toPort(flows, inputs.audience(), port.mac(), port.addresses());
  }

  /**
   * What is too large goes to the agent, whatever it is: the switch's own counters say nothing
   * here, because what one branch of a check does they count for both.
   */
  private static void oversize(FlowList flows, int openFlowPort) {
    flows.add(
        OVERSIZE,
        MATCH,
        Match.builder()
            .inPort(openFlowPort)
            .reg(Registers.MTU, Registers.TOO_LARGE, Registers.TOO_LARGE),
        PortMeterPlanner.oversize(flows, openFlowPort),
        Actions.controller(0, PuntKind.OVERSIZE.code()));
  }

  private static void toHost(FlowList flows, Inputs inputs) {
    flows.add(
        FORWARD,
        MATCH,
        Match.builder().reg(Registers.NETWORK, inputs.vni().value()).ethDst(inputs.port().mac()),
        Actions.setReg(Registers.OUTPUT, inputs.openFlowPort()),
        Actions.resubmit(MTU.number()));
    PortMeterPlanner.toHost(flows, inputs);
  }
}
