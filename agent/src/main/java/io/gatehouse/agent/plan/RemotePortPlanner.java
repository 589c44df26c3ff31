package io.gatehouse.agent.plan;

import static io.gatehouse.agent.plan.pipeline.Priorities.MATCH;
import static io.gatehouse.agent.state.PipelineTable.FORWARD;
import static io.gatehouse.agent.state.PipelineTable.MTU;

import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.plan.pipeline.FlowList;
import io.gatehouse.agent.plan.pipeline.Registers;
import io.gatehouse.agent.state.planned.Fragment;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.Vni;
import io.gatehouse.model.policy.RemotePortPolicy;

/** The flows towards a port that is on another DPU. */
final class RemotePortPlanner {
  private RemotePortPlanner() {}

  /** Everything the flows of a remote port depend on. */
  record Inputs(
      RemotePortPolicy port, PeeringCatalog.Audience audience, IpAddress vtep, int tunnelPort) {}

  static Fragment plan(Inputs inputs) {
    RemotePortPolicy port = inputs.port();
    FlowList flows = new FlowList(port.key());
    Vni vni = inputs.audience().vni();
    if (inputs.audience().home()) {
      for (IpAddress address : NeighbourPlanner.answered(port.addresses(), port.mac())) {
        NeighbourPlanner.answer(flows, vni, address, port.mac());
      }
    }
    PeeringPlanner.toPort(flows, inputs.audience(), port.mac(), port.addresses());
    flows.add(
        FORWARD,
        MATCH,
        // Split horizon: what came out of a tunnel never goes into one.
        Match.builder()
            .reg(Registers.NETWORK, vni.value())
            .reg(Registers.ORIGIN, Registers.FROM_HOST)
            .ethDst(port.mac()),
        Actions.setTunDst(inputs.vtep()),
        Actions.setReg(Registers.OUTPUT, inputs.tunnelPort()),
        Actions.resubmit(MTU.number()));
    return flows.fragment(inputs);
  }
}
