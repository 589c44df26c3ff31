package io.gatehouse.agent.plan;

import static io.gatehouse.agent.plan.pipeline.Priorities.EXCEPTION;
import static io.gatehouse.agent.plan.pipeline.Priorities.LIMITED;
import static io.gatehouse.agent.plan.pipeline.Priorities.MATCH;
import static io.gatehouse.agent.state.PipelineTable.CLASSIFY;
import static io.gatehouse.agent.state.PipelineTable.FORWARD;
import static io.gatehouse.agent.state.PipelineTable.OUTPUT;

import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.flow.RateMeter;
import io.gatehouse.agent.flow.RateMeter.Unit;
import io.gatehouse.agent.plan.pipeline.FlowList;
import io.gatehouse.agent.plan.pipeline.Registers;
import io.gatehouse.agent.state.MeterKind;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.security.RateLimits.Rate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The meters of a port and the flows that use them. A flow can have one meter only, and only as its
 * first action, so that two limits are two flows.
 */
final class PortMeterPlanner {
  /** Broadcasts and multicasts a second that each host may have copied, and at once. */
  static final int BROADCASTS_PER_SECOND = 1_000;

  /** Packets a second of a host that the agent looks at, and at once. */
  static final int PUNTS_PER_SECOND = 20;

  /** Packets a second of a host that are too large and that the agent looks at, and at once. */
  static final int OVERSIZE_PER_SECOND = 100;

  private static final int KILOBITS_PER_MEGABIT = 1_000;

  /**
   * The part of a second that may come at once where nothing else is said: longer than a TCP sender
   * waits after it has lost a whole window, 200 ms, or what is saved meanwhile is lost too.
   */
  private static final int BURSTS_PER_SECOND = 4;

  /** More than any packet has. */
  private static final int MAX_BYTES = 0xffff;

  private static final MacAddress GROUP_BIT = MacAddress.parse("01:00:00:00:00:00");

  private PortMeterPlanner() {}

  /** Adds the meter for packets of a port that the agent answers; the action comes first. */
  static Action punt(FlowList flows, int openFlowPort) {
    return use(
        flows,
        new RateMeter(
            MeterKind.PUNTS.id(openFlowPort), Unit.PACKETS, PUNTS_PER_SECOND, PUNTS_PER_SECOND));
  }

  /** Adds the meter for packets of a port that are too large; the action comes first. */
  static Action oversize(FlowList flows, int openFlowPort) {
    return use(
        flows,
        new RateMeter(
            MeterKind.OVERSIZE.id(openFlowPort),
            Unit.PACKETS,
            OVERSIZE_PER_SECOND,
            OVERSIZE_PER_SECOND));
  }

  /**
   * The meter that every opening of a connection takes, whoever opens it; empty without a limit.
   * What it drops is tried again by its sender, and takes no room in the tracker meanwhile.
   */
  static List<Action> connections(FlowList flows, LocalPortPlanner.Inputs inputs) {
    int rate = inputs.port().limits().connectionsPerSecond();
    int id = MeterKind.CONNECTIONS.id(inputs.openFlowPort());
    return rate == 0 ? List.of() : List.of(use(flows, new RateMeter(id, Unit.PACKETS, rate, rate)));
  }

  /**
   * The actions of CLASSIFY for what a host may send, and the flow for its second limit, if there
   * is one.
   *
   * @param rest what is done with a packet within the limits, with nothing to set before
   */
  static List<Action> fromHost(FlowList flows, LocalPortPlanner.Inputs inputs, Action rest) {
    int port = inputs.openFlowPort();
    Rate rate = inputs.port().limits().egress();
    List<RateMeter> meters = meters(rate, port, MeterKind.EGRESS_BITS, MeterKind.EGRESS_PACKETS);
    Action network = Actions.setReg(Registers.NETWORK, inputs.vni().value());
    if (meters.isEmpty()) {
      return List.of(network, rest);
    }
    Action first = use(flows, meters.get(0));
    if (meters.size() == 1) {
      return List.of(first, network, rest);
    }
    flows.add(
        CLASSIFY,
        LIMITED,
        Match.builder().inPort(port).reg(Registers.NETWORK, inputs.vni().value()),
        use(flows, meters.get(1)),
        rest);
    return List.of(first, network, Actions.resubmit(CLASSIFY.number()));
  }

  /** Lets a host's broadcasts and multicasts be copied, up to the limit that every port has. */
  static void broadcasts(FlowList flows, int openFlowPort) {
    RateMeter meter =
        new RateMeter(
            MeterKind.BROADCAST.id(openFlowPort),
            Unit.PACKETS,
            BROADCASTS_PER_SECOND,
            BROADCASTS_PER_SECOND);
    flows.add(
        FORWARD,
        EXCEPTION,
        Match.builder()
            .inPort(openFlowPort)
            .reg(Registers.REPLICATION, 0)
            .ethDst(GROUP_BIT, GROUP_BIT),
        use(flows, meter),
        Actions.setReg(Registers.REPLICATION, 1),
        Actions.resubmit(FORWARD.number()));
  }

  /** Adds the flows of OUTPUT to a host, as far as its limits are concerned. */
  static void toHost(FlowList flows, LocalPortPlanner.Inputs inputs) {
    int port = inputs.openFlowPort();
    List<RateMeter> meters = toHostMeters(inputs);
    if (meters.isEmpty()) {
      flows.add(OUTPUT, MATCH, output(port), Actions.output(port));
      return;
    }
    List<Action> metered = new ArrayList<>(List.of(use(flows, meters.get(0))));
    if (meters.size() == 1) {
      metered.add(Actions.output(port));
    } else {
      metered.add(Actions.setReg(Registers.OUTPUT, port | Registers.MET_FIRST));
      metered.add(Actions.resubmit(OUTPUT.number()));
      flows.add(
          OUTPUT,
          MATCH,
          output(port | Registers.MET_FIRST),
          use(flows, meters.get(1)),
          Actions.output(port));
    }
    // The switch would not send a host its own broadcast, but would meter it.
    flows.add(OUTPUT, EXCEPTION, output(port).inPort(port));
    flows.add(OUTPUT, EXCEPTION, output(port).reg(Registers.REPLICATION, 0), metered);
    flows.add(OUTPUT, MATCH, output(port), apart(inputs));
    flows.add(OUTPUT, MATCH, output(port | Registers.APART), metered);
  }

  /**
   * The actions that put a packet out to a host within its limits, whatever else is done with it
   * then. What a meter drops is gone with all actions that follow, which are the other copies of a
   * broadcast; but what the switch does after a check of the size, it does with a copy.
   */
  static List<Action> apart(LocalPortPlanner.Inputs inputs) {
    int port = inputs.openFlowPort();
    if (toHostMeters(inputs).isEmpty()) {
      return List.of(Actions.output(port));
    }
    return List.of(
        Actions.checkPktLarger(MAX_BYTES, Field.reg(Registers.SCRATCH), 0),
        Actions.setReg(Registers.OUTPUT, port | Registers.APART),
        Actions.resubmit(OUTPUT.number()));
  }

  private static Match.Builder output(int value) {
    return Match.builder().reg(Registers.OUTPUT, value);
  }

  private static Action use(FlowList flows, RateMeter meter) {
    flows.add(meter);
    return Actions.meter(meter.id());
  }

  private static List<RateMeter> toHostMeters(LocalPortPlanner.Inputs inputs) {
    return meters(
        inputs.port().limits().ingress(),
        inputs.openFlowPort(),
        MeterKind.INGRESS_BITS,
        MeterKind.INGRESS_PACKETS);
  }

  private static List<RateMeter> meters(Rate rate, int port, MeterKind bits, MeterKind packets) {
    List<RateMeter> meters = new ArrayList<>();
    long kilobits = (long) rate.megabitsPerSecond() * KILOBITS_PER_MEGABIT;
    meter(bits.id(port), Unit.KILOBITS, kilobits, rate.burstKilobits()).ifPresent(meters::add);
    meter(packets.id(port), Unit.PACKETS, rate.packetsPerSecond(), rate.burstPackets())
        .ifPresent(meters::add);
    return meters;
  }

  private static Optional<RateMeter> meter(int id, Unit unit, long rate, long burst) {
    if (rate == 0) {
      return Optional.empty();
    }
    long atOnce = burst > 0 ? burst : Math.max(1, rate / BURSTS_PER_SECOND);
    return Optional.of(new RateMeter(id, unit, rate, atOnce));
  }
}
