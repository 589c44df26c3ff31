package io.gatehouse.control.image;

import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.SecurityGroupName;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which DPUs an entry concerns: a superset of those whose policy it changes, and none of the rest
 * of the fleet. A change of display names and times concerns no DPU.
 */
public final class AffectedDpus {
  private AffectedDpus() {}

  /**
   * The DPUs concerned, in name order. A removed DPU is among them.
   *
   * @param before the image without the entry
   * @param after the image with it
   */
  public static Set<DpuName> of(Image before, Image after, Entry entry) {
    PolicyChange change = PolicyChange.of(before, after, entry);
    Set<DpuName> affected = new TreeSet<>(change.dpus());
    for (NetworkName network : change.networks()) {
      affected.addAll(before.dpusOf(network));
      affected.addAll(after.dpusOf(network));
    }
    for (SecurityGroupName group : change.groups()) {
      affected.addAll(before.membersOf(group).values());
      affected.addAll(after.membersOf(group).values());
    }
    return Collections.unmodifiableSet(affected);
  }
}
