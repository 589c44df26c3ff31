package io.gatehouse.agent.diff;

import io.gatehouse.agent.state.BridgeSettings;
import io.gatehouse.agent.state.Site;
import io.gatehouse.agent.state.change.BridgeChange;
import io.gatehouse.agent.state.change.BridgeChange.PortUpdate;
import io.gatehouse.agent.state.observed.BridgeView;
import io.gatehouse.agent.state.observed.PortView;
import io.gatehouse.agent.state.planned.BridgePlan;
import io.gatehouse.agent.state.planned.PortPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Bridge and ports to make, set right and remove. A port without the owner mark is left alone. */
public final class BridgeDiff {
  private BridgeDiff() {}

  /**
   * Compares the bridge.
   *
   * @param restoreWait the value that {@code flow-restore-wait} must have
   */
  public static BridgeChange diff(BridgePlan plan, BridgeView view, boolean restoreWait) {
    List<PortPlan> adds = new ArrayList<>();
    List<PortUpdate> updates = new ArrayList<>();
    for (PortPlan wanted : plan.ports().values()) {
      PortView there = view.ports().get(wanted.device());
      if (there == null) {
        adds.add(wanted);
      } else if (!isAsWanted(there, wanted)) {
        updates.add(new PortUpdate(there, wanted));
      }
    }
    List<PortView> removes =
        view.ports().values().stream()
            .filter(port -> port.owner().isPresent())
            .filter(port -> !plan.ports().containsKey(port.device()))
            .toList();
    Optional<Boolean> wait =
        restoreWait == view.restoreWait() ? Optional.empty() : Optional.of(restoreWait);
    return new BridgeChange(settings(plan, view), adds, updates, removes, wait);
  }

  private static Optional<Site.Datapath> settings(BridgePlan plan, BridgeView view) {
    boolean right = view.exists() && view.settings().equals(BridgeSettings.wanted(plan.datapath()));
    return right ? Optional.empty() : Optional.of(plan.datapath());
  }

  private static boolean isAsWanted(PortView there, PortPlan wanted) {
    return there.type().equals(wanted.type())
        && there.options().equals(wanted.options())
        && there.owner().equals(Optional.of(wanted.owner()))
        && there.mtuRequest().equals(wanted.mtuRequest())
        && there.zone().equals(wanted.zone());
  }
}
