package io.gatehouse.agent.reconcile;

import io.gatehouse.agent.state.change.BridgeChange;
import io.gatehouse.agent.state.change.Changes;
import io.gatehouse.agent.state.change.ConnectionLimitChange;
import io.gatehouse.agent.state.change.FlowChange;
import io.gatehouse.agent.state.change.KernelChange;
import io.gatehouse.agent.state.observed.Observation;
import io.gatehouse.agent.state.planned.Fragment;
import io.gatehouse.agent.state.planned.Plan;
import java.util.List;

/** Leaves out changes that are safe only with knowledge of a part that cannot be read now. */
final class Precautions {
  private Precautions() {}

  static Changes take(Changes changes, Plan plan, Observation observation) {
    BridgeChange bridge =
        observation.kernel().isKnown() ? changes.bridge() : withoutGuarded(changes.bridge(), plan);
    return new Changes(
        observation.bridge().isKnown() ? changes.kernel() : withoutUnguard(changes.kernel()),
        changes.meters(),
        observation.flows().isKnown() ? changes.limits() : withoutDeletes(changes.limits()),
        flows(changes.flows(), plan, observation),
        observation.flows().isKnown() ? bridge : withoutNewZones(bridge));
  }

  /** Flows that cannot be seen may track in the zone. */
  private static ConnectionLimitChange withoutDeletes(ConnectionLimitChange change) {
    return new ConnectionLimitChange(change.sets(), List.of(), change.impossible());
  }

  private static FlowChange flows(FlowChange change, Plan plan, Observation observation) {
    if (!observation.meters().isKnown()) {
      // A flow is refused where its meter is not there.
      return change.withoutOpening(flow -> true);
    }
    if (observation.limits().isKnown()) {
      return change;
    }
    // What is tracked before its zone has a limit is never counted.
    return change.withoutOpening(
        flow -> {
          Fragment owner = plan.flows().fragments().get(flow.cookie());
          return owner != null && !owner.limits().isEmpty();
        });
  }

  /** Nobody can make the switch forget what it has in a zone: no port gets one. */
  private static BridgeChange withoutNewZones(BridgeChange change) {
    return new BridgeChange(
        change.settings(),
        change.adds().stream().filter(port -> port.zone().isEmpty()).toList(),
        change.updates().stream().filter(update -> !update.hasNewZone()).toList(),
        change.removes(),
        change.restoreWait());
  }

  /** Nobody knows whether a device has left the bridge: it keeps its guard. */
  private static KernelChange withoutUnguard(KernelChange change) {
    return new KernelChange(
        change.guard(), List.of(), change.disableIpv6(), change.setUp(), change.restoreUnderlay());
  }

  /** Nobody knows whether a guard is up: no device that needs one comes onto the bridge. */
  private static BridgeChange withoutGuarded(BridgeChange change, Plan plan) {
    return new BridgeChange(
        change.settings(),
        change.adds().stream()
            .filter(port -> !plan.kernel().guarded().contains(port.device()))
            .toList(),
        change.updates(),
        change.removes(),
        change.restoreWait());
  }
}
