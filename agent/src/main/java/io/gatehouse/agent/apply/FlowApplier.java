package io.gatehouse.agent.apply;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.openflow.OpenFlowClient;
import io.gatehouse.agent.device.openflow.codec.FlowMod;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.state.change.FlowChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes flows, all in one atomic bundle: no packet meets half of a change. */
public final class FlowApplier {
  private static final Duration LIMIT = Duration.ofSeconds(90);

  private final OpenFlowClient client;

  public FlowApplier(OpenFlowClient client) {
    this.client = client;
  }

  /**
   * Carries a change out. If the switch refuses it, each owner's part is tried alone, so that one
   * bad flow does not keep the others from their traffic.
   *
   * @return what was refused, by cookie; empty if all was taken
   */
  public Map<Long, String> apply(FlowChange change) throws DeviceException, InterruptedException {
    if (change.isEmpty()) {
      return Map.of();
    }
    try {
      List<FlowMod> mods = closing(change);
      change.modifies().forEach(flow -> mods.add(new FlowMod.ModifyStrict(flow)));
      change.adds().forEach(flow -> mods.add(new FlowMod.Add(flow)));
      send(mods);
      return Map.of();
    } catch (DeviceException e) {
      if (e.kind() != DeviceException.Kind.REJECTED) {
        throw e;
      }
      return applySingly(change);
    }
  }

  /** Makes the switch forget the connections of zones; on return it has. */
  public void flush(List<Integer> zones) throws DeviceException, InterruptedException {
    if (!zones.isEmpty()) {
      Waiting.get(client.flushZones(zones), LIMIT, "a flush of " + zones.size() + " zones");
    }
  }

  private Map<Long, String> applySingly(FlowChange change)
      throws DeviceException, InterruptedException {
    // What must go goes first and together: closing never waits for something to be opened.
    send(closing(change));
    Map<Long, List<FlowMod>> byOwner = new LinkedHashMap<>();
    change.modifies().forEach(flow -> list(byOwner, flow).add(new FlowMod.ModifyStrict(flow)));
    change.adds().forEach(flow -> list(byOwner, flow).add(new FlowMod.Add(flow)));
    Map<Long, String> refused = new TreeMap<>();
    for (Map.Entry<Long, List<FlowMod>> owner : byOwner.entrySet()) {
      try {
        send(owner.getValue());
      } catch (DeviceException e) {
        if (e.kind() != DeviceException.Kind.REJECTED) {
          throw e;
        }
        refused.put(owner.getKey(), e.getMessage());
      }
    }
    return refused;
  }

  private void send(List<FlowMod> mods) throws DeviceException, InterruptedException {
    if (!mods.isEmpty()) {
      Waiting.get(client.applyBundle(mods), LIMIT, "a bundle of " + mods.size() + " flows");
    }
  }

  private static List<FlowMod> list(Map<Long, List<FlowMod>> byOwner, Flow flow) {
    return byOwner.computeIfAbsent(flow.cookie(), cookie -> new ArrayList<>());
  }

  private static List<FlowMod> closing(FlowChange change) {
    List<FlowMod> mods = new ArrayList<>(change.size());
    change
        .purges()
        .forEach(some -> mods.add(new FlowMod.DeleteByCookie(some.table(), some.cookie(), -1L)));
    change.deletes().forEach(flow -> mods.add(new FlowMod.DeleteStrict(flow.key())));
    return mods;
  }
}
