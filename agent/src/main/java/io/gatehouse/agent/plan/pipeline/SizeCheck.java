package io.gatehouse.agent.plan.pipeline;

import static io.gatehouse.agent.state.PipelineTable.MTU;
import static io.gatehouse.agent.state.PipelineTable.OVERSIZE;

import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.model.net.IpAddress;
import java.util.SortedMap;
import java.util.function.Supplier;

/** Flows that check whether what a host sends fits; where to is known already. */
public final class SizeCheck {
  /** Less is not told to hosts: RFC 791 lets each of them count on as much. */
  private static final int LEAST_IPV4_BYTES = 576;

  /** RFC 8200 §5. */
  private static final int LEAST_IPV6_BYTES = 1_280;

  private SizeCheck() {}

  /**
   * What is checked.
   *
   * @param priority of the check, below those for narrow paths
   * @param what a fresh match for each flow
   * @param mtuBytes largest packet
   */
  public record Checked(int priority, Supplier<Match.Builder> what, int mtuBytes) {}

  /**
   * Adds the check, and one for each path that carries less.
   *
   * @param limits bytes of the largest packet that reaches a VTEP
   */
  public static void add(FlowList flows, Checked checked, SortedMap<IpAddress, Integer> limits) {
    add(flows, checked.priority(), checked.what().get(), checked.mtuBytes());
    limits.forEach((vtep, bytes) -> narrow(flows, checked, vtep, bytes));
  }

  private static void narrow(FlowList flows, Checked checked, IpAddress vtep, int bytes) {
    int v4 = Math.max(bytes, LEAST_IPV4_BYTES);
    int v6 = Math.max(bytes, LEAST_IPV6_BYTES);
    int priority = checked.priority() + Priorities.NARROW_PATH;
    if (v4 < checked.mtuBytes()) {
      add(flows, priority, checked.what().get().tunDst(vtep), v4);
    }
    if (v6 != v4 && v4 < checked.mtuBytes()) {
      add(
          flows,
          priority + Priorities.NARROW_PATH,
          checked.what().get().tunDst(vtep).ethType(Protocols.IPV6),
          Math.min(v6, checked.mtuBytes()));
    }
  }

  private static void add(FlowList flows, int priority, Match.Builder what, int mtuBytes) {
    flows.add(
        MTU,
        priority,
        what,
        Actions.setReg(Registers.MTU, mtuBytes),
        Actions.checkPktLarger(
            mtuBytes + Protocols.ETHERNET_HEADER_BYTES,
            Field.reg(Registers.MTU),
            Registers.TOO_LARGE_BIT),
        Actions.resubmit(OVERSIZE.number()));
  }
}
