package io.gatehouse.agent.plan.pipeline;

import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.flow.RateMeter;
import io.gatehouse.agent.state.MeterKind;
import io.gatehouse.agent.state.PipelineTable;
import io.gatehouse.agent.state.ProbeIdentity;
import io.gatehouse.agent.state.planned.Fragment;

/**
 * Takes other agents' tests of tunnels to this one. An owner of its own, so that a switch which
 * refuses it goes on without it.
 */
public final class TunnelTestPlanner {
  public static final String OWNER = "tunnel-tests";

  /** Packets a second, of all other DPUs, and at once. */
  static final int PER_SECOND = 1_000;

  private TunnelTestPlanner() {}

  /** Everything these flows depend on. */
  public record Inputs(int tunnelPort) {}

  /**
   * The flow and its meter. What FORWARD has out of a tunnel has come from a VTEP of its network:
   * CLASSIFY has dropped the rest.
   */
  public static Fragment plan(Inputs inputs) {
    FlowList flows = new FlowList(OWNER);
    int meter = MeterKind.PUNTS.id(inputs.tunnelPort());
    flows.add(new RateMeter(meter, RateMeter.Unit.PACKETS, PER_SECOND, PER_SECOND));
    flows.add(
        PipelineTable.FORWARD,
        Priorities.EXCEPTION,
        Match.builder()
            .reg(Registers.ORIGIN, Registers.FROM_TUNNEL)
            .ethSrc(ProbeIdentity.MAC)
            .ethDst(ProbeIdentity.MAC),
        Actions.meter(meter),
        Actions.controller(0, ProbeIdentity.PUNT_CODE));
    return flows.fragment(inputs);
  }
}
