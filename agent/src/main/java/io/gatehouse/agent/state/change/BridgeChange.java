package io.gatehouse.agent.state.change;

import io.gatehouse.agent.state.PortZone;
import io.gatehouse.agent.state.Site;
import io.gatehouse.agent.state.observed.PortView;
import io.gatehouse.agent.state.planned.PortPlan;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What to change in the database, to be carried out as one transaction, once the connections of
 * {@link #newZones} are forgotten.
 *
 * @param settings the bridge's datapath if its settings are to be written; a bridge that is not
 *     there is made
 * @param adds ports to add
 * @param updates ports to set right
 * @param removes ports of ours to remove
 * @param restoreWait value to give {@code flow-restore-wait}
 */
public record BridgeChange(
    Optional<Site.Datapath> settings,
    List<PortPlan> adds,
    List<PortUpdate> updates,
    List<PortView> removes,
    Optional<Boolean> restoreWait) {
  public static final BridgeChange NONE =
      new BridgeChange(Optional.empty(), List.of(), List.of(), List.of(), Optional.empty());

  public BridgeChange {
    adds = List.copyOf(adds);
    updates = List.copyOf(updates);
    removes = List.copyOf(removes);
  }

  /** A port that is there and not as it must be. */
  public record PortUpdate(PortView from, PortPlan to) {
    public boolean hasNewZone() {
      return to.zone().isPresent() && !to.zone().equals(from.zone());
    }
  }

  /** Zones that a port gets, of whose connections nobody knows whose they were. */
  public List<Integer> newZones() {
    return Stream.concat(
            adds.stream().flatMap(port -> port.zone().stream()),
            updates.stream()
                .filter(PortUpdate::hasNewZone)
                .flatMap(update -> update.to().zone().stream()))
        .map(PortZone::number)
        .toList();
  }

  public int size() {
    return adds.size()
        + updates.size()
        + removes.size()
        + (settings.isPresent() ? 1 : 0)
        + (restoreWait.isPresent() ? 1 : 0);
  }

  public boolean isEmpty() {
    return size() == 0;
  }
}
