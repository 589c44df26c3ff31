package io.gatehouse.control.image;

import io.gatehouse.model.Port;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.SecurityGroupName;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/**
 * Newest revision that changed each DPU's policy. A change of a network or security group is noted
 * once, with it, however many DPUs it concerns: what a DPU has is the newest of its own note and
 * those of its networks and of its ports' groups. A DPU that leaves a network, and one whose port
 * changes its groups, gets a note of its own.
 */
record PolicyRevisions(
    PMap<DpuName, Long> dpus,
    PMap<NetworkName, Long> networks,
    PMap<SecurityGroupName, Long> groups,
    PMap<NetworkName, Long> mtus) {
  static final PolicyRevisions EMPTY = of(Map.of());

  /** What is known of each DPU as a whole. */
  static PolicyRevisions of(Map<DpuName, Long> dpus) {
    return new PolicyRevisions(
        HashTreePMap.from(dpus), HashTreePMap.empty(), HashTreePMap.empty(), HashTreePMap.empty());
  }

  PolicyRevisions with(Image before, Image after, Entry entry) {
    PolicyChange change = PolicyChange.of(before, after, entry);
    long revision = entry.revision();
    return new PolicyRevisions(
        noted(dpus, change.dpus(), revision, dpu -> after.dpu(dpu).isPresent()),
        noted(networks, change.networks(), revision, name -> after.network(name).isPresent()),
        noted(groups, change.groups(), revision, name -> after.securityGroup(name).isPresent()),
        noted(mtus, change.sized(), revision, name -> after.network(name).isPresent()));
  }

  /** Newest revision that changed the DPU's policy in that image; 0 if there is no such DPU. */
  long of(DpuName dpu, Image image) {
    if (image.dpu(dpu).isEmpty()) {
      return 0;
    }
    long newest = dpus.getOrDefault(dpu, 0L);
    for (Port port : image.portsOf(dpu).values()) {
      newest = Math.max(newest, networks.getOrDefault(port.name().network(), 0L));
      for (SecurityGroupName group : port.security().groups()) {
        newest = Math.max(newest, groups.getOrDefault(group, 0L));
      }
    }
    return newest;
  }

  /**
   * Newest revision that a DPU must have applied to have the MTU of a network; what else changes in
   * the network, or at its peers, is not waited for. After a restart this may be more than needed:
   * of the time before only the DPU's own number is known.
   */
  long ofMtu(NetworkName network, DpuName dpu) {
    return mtus.getOrDefault(network, dpus.getOrDefault(dpu, 0L));
  }

  Map<DpuName, Long> all(Image image) {
    Map<DpuName, Long> all = new TreeMap<>();
    image.dpus().keySet().forEach(dpu -> all.put(dpu, of(dpu, image)));
    return all;
  }

  private static <K> PMap<K, Long> noted(
      PMap<K, Long> notes, Set<K> concerned, long revision, Predicate<K> kept) {
    PMap<K, Long> next = notes;
    for (K name : concerned) {
      next = kept.test(name) ? next.plus(name, revision) : next.minus(name);
    }
    return next;
  }
}
