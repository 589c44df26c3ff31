package io.gatehouse.agent.report;

import io.gatehouse.agent.state.Health.Component;
import io.gatehouse.agent.state.Health.Part;
import io.gatehouse.agent.state.Health.State;
import io.gatehouse.agent.state.Site;
import io.gatehouse.agent.state.change.Changes;
import io.gatehouse.agent.state.observed.BridgeView;
import io.gatehouse.agent.state.observed.ConnectionLimitView;
import io.gatehouse.agent.state.observed.KernelView;
import io.gatehouse.agent.state.observed.Observation;
import io.gatehouse.agent.state.observed.Observed;
import io.gatehouse.agent.state.observed.PortView;
import java.util.List;

/** The state of each part of the data plane, from what was read and what differs from the plan. */
public final class ComponentReporter {
  private ComponentReporter() {}

  /**
   * Reports.
   *
   * @param changes what is still to be changed
   */
  public static List<Component> report(Observation observation, Changes changes) {
    return List.of(
        ovsdb(observation, changes),
        openFlow(observation, changes),
        tunnels(observation),
        guard(observation, changes));
  }

  private static Component ovsdb(Observation observation, Changes changes) {
    if (!(observation.bridge() instanceof Observed.Known<BridgeView> known)) {
      return unknown(Part.OVSDB, observation.bridge());
    }
    BridgeView bridge = known.value();
    if (!bridge.alarms().isEmpty()) {
      return new Component(Part.OVSDB, State.FAILED, String.join("; ", bridge.alarms()));
    }
    if (!changes.bridge().isEmpty()) {
      return new Component(
          Part.OVSDB, State.DEGRADED, changes.bridge().size() + " changes to make");
    }
    if (!bridge.configuredBySwitch()) {
      return new Component(
          Part.OVSDB, State.DEGRADED, "ovs-vswitchd has not taken the newest configuration");
    }
    return new Component(Part.OVSDB, State.OK, "");
  }

  private static Component openFlow(Observation observation, Changes changes) {
    if (!observation.flows().isKnown()) {
      return unknown(Part.OPENFLOW, observation.flows());
    }
    if (!observation.meters().isKnown()) {
      return unknown(Part.OPENFLOW, observation.meters());
    }
    if (!observation.limits().isKnown()) {
      return unknown(Part.OPENFLOW, observation.limits());
    }
    if (!changes.limits().isEmpty()) {
      return new Component(
          Part.OPENFLOW,
          State.DEGRADED,
          changes.limits().size() + " limits of connections to change");
    }
    if (!changes.meters().isEmpty()) {
      return new Component(
          Part.OPENFLOW, State.DEGRADED, changes.meters().size() + " meters to change");
    }
    if (!changes.flows().isEmpty()) {
      return new Component(
          Part.OPENFLOW, State.DEGRADED, changes.flows().size() + " flows to change");
    }
    boolean waiting =
        observation.bridge() instanceof Observed.Known<BridgeView> known
            && known.value().restoreWait();
    if (waiting) {
      // The switch forwards nothing while this is set, however right its flows are.
      return new Component(Part.OPENFLOW, State.FAILED, "flow-restore-wait is still set");
    }
    return tracker(observation);
  }

  /** Each port has room for its limit only if the tracker has room for all of them. */
  private static Component tracker(Observation observation) {
    if (observation.limits() instanceof Observed.Known<ConnectionLimitView> limits) {
      long sum = limits.value().sum();
      long capacity = limits.value().capacity().orElse(sum);
      if (sum > capacity) {
        return new Component(
            Part.OPENFLOW,
            State.DEGRADED,
            "the connection tracker takes "
                + capacity
                + " connections, the limits of ports allow "
                + sum
                + ": one can take another's room");
      }
    }
    return new Component(Part.OPENFLOW, State.OK, "");
  }

  private static Component tunnels(Observation observation) {
    if (!(observation.bridge() instanceof Observed.Known<BridgeView> known)) {
      return unknown(Part.TUNNELS, observation.bridge());
    }
    PortView tunnel = known.value().ports().get(Site.TUNNEL_PORT);
    if (tunnel == null || tunnel.openFlowPort().isEmpty()) {
      String error = tunnel == null ? "it is not there" : tunnel.error().orElse("no switch port");
      return new Component(Part.TUNNELS, State.FAILED, "port " + Site.TUNNEL_PORT + ": " + error);
    }
    if (observation.kernel() instanceof Observed.Known<KernelView> kernel) {
      KernelView.UnderlayView underlay = kernel.value().underlay();
      if (!underlay.addressPresent() || !underlay.routePresent()) {
        return new Component(
            Part.TUNNELS, State.FAILED, "the underlay device has no VTEP address or no route");
      }
    }
    return new Component(Part.TUNNELS, State.OK, "");
  }

  private static Component guard(Observation observation, Changes changes) {
    if (!observation.kernel().isKnown()) {
      return unknown(Part.GUARD, observation.kernel());
    }
    if (!changes.kernel().isEmpty()) {
      return new Component(
          Part.GUARD, State.DEGRADED, changes.kernel().size() + " changes to make");
    }
    return new Component(Part.GUARD, State.OK, "");
  }

  private static Component unknown(Part part, Observed<?> observed) {
    String reason =
        observed instanceof Observed.Unknown<?> unknown ? unknown.reason() : "not looked at";
    return new Component(part, State.UNKNOWN, reason);
  }
}
