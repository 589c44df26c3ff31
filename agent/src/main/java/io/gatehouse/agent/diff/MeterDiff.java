package io.gatehouse.agent.diff;

import io.gatehouse.agent.flow.RateMeter;
import io.gatehouse.agent.state.change.MeterChange;
import io.gatehouse.agent.state.observed.MeterView;
import io.gatehouse.agent.state.planned.FlowPlan;
import io.gatehouse.agent.state.planned.Fragment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Meters to add, set right and delete. The bridge is Gatehouse's, so a meter that is not planned
 * goes, whoever made it; the switch's own are not touched.
 */
public final class MeterDiff {
  private MeterDiff() {}

  public static MeterChange diff(FlowPlan plan, MeterView view) {
    SortedMap<Integer, RateMeter> planned = new TreeMap<>();
    for (Fragment fragment : plan.fragments().values()) {
      fragment.meters().forEach(meter -> planned.put(meter.id(), meter));
    }
    Map<Integer, String> impossible = withoutRoom(planned, view.room());
    List<RateMeter> adds = new ArrayList<>();
    List<RateMeter> modifies = new ArrayList<>();
    for (RateMeter wanted : planned.values()) {
      RateMeter there = view.meters().get(wanted.id());
      boolean strange = view.strange().contains(wanted.id());
      if (there == null && !strange) {
        adds.add(wanted);
      } else if (strange || !wanted.equals(there)) {
        modifies.add(wanted);
      }
    }
    return new MeterChange(adds, modifies, deletes(planned, view), impossible);
  }

  /** Takes meters out of the plan until the rest fits. */
  private static Map<Integer, String> withoutRoom(
      SortedMap<Integer, RateMeter> planned, long room) {
    Map<Integer, String> impossible = new TreeMap<>();
    String reason = "the switch has room for " + room + " meters";
    while (planned.size() > room) {
      impossible.put(planned.lastKey(), reason);
      planned.remove(planned.lastKey());
    }
    return impossible;
  }

  private static List<Integer> deletes(Map<Integer, RateMeter> planned, MeterView view) {
    List<Integer> deletes = new ArrayList<>();
    view.meters().keySet().stream().filter(id -> !planned.containsKey(id)).forEach(deletes::add);
    view.strange().stream()
        .filter(id -> !planned.containsKey(id) && !RateMeter.isReserved(id))
        .forEach(deletes::add);
    deletes.sort(Integer::compareUnsigned);
    return deletes;
  }
}
