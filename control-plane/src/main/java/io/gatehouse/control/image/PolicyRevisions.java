package io.gatehouse.control.image;

import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PortName;
import java.util.Map;
import java.util.TreeMap;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/**
 * Newest revision that changed each DPU's policy. A change of a network is noted once, with the
 * network, however many DPUs carry it: what a DPU has is the newest of its own note and those of
 * its networks. A DPU that leaves a network gets a note of its own.
 */
record PolicyRevisions(PMap<DpuName, Long> dpus, PMap<NetworkName, Long> networks) {
  static final PolicyRevisions EMPTY =
      new PolicyRevisions(HashTreePMap.empty(), HashTreePMap.empty());

  PolicyRevisions with(Image before, Image after, Entry entry) {
    PolicyChange change = PolicyChange.of(before, after, entry);
    long revision = entry.revision();
    PMap<DpuName, Long> nextDpus = dpus;
    for (DpuName dpu : change.dpus()) {
      boolean kept = after.dpu(dpu).isPresent();
      nextDpus = kept ? nextDpus.plus(dpu, revision) : nextDpus.minus(dpu);
    }
    PMap<NetworkName, Long> nextNetworks = networks;
    for (NetworkName network : change.networks()) {
      boolean kept = after.network(network).isPresent();
      nextNetworks = kept ? nextNetworks.plus(network, revision) : nextNetworks.minus(network);
    }
    return new PolicyRevisions(nextDpus, nextNetworks);
  }

  /** Newest revision that changed the DPU's policy in that image; 0 if there is no such DPU. */
  long of(DpuName dpu, Image image) {
    if (image.dpu(dpu).isEmpty()) {
      return 0;
    }
    long newest = dpus.getOrDefault(dpu, 0L);
    for (PortName port : image.portsOf(dpu).keySet()) {
      newest = Math.max(newest, networks.getOrDefault(port.network(), 0L));
    }
    return newest;
  }

  Map<DpuName, Long> all(Image image) {
    Map<DpuName, Long> all = new TreeMap<>();
    image.dpus().keySet().forEach(dpu -> all.put(dpu, of(dpu, image)));
    return all;
  }
}
