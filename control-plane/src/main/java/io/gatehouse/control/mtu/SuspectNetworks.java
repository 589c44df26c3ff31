package io.gatehouse.control.mtu;

import io.gatehouse.control.image.Image;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.proto.v1.PathReport;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The networks with a narrow path between two of their DPUs. Where there is none, as nearly always,
 * it costs one look at each DPU. For one thread.
 */
final class SuspectNetworks {
  private final ReportedPaths reported;

  /** The newest report of each DPU, if no path in it is narrow: the same one has none again. */
  private final Map<DpuName, PathReport> clean = new HashMap<>();

  SuspectNetworks(ReportedPaths reported) {
    this.reported = reported;
  }

  Set<NetworkName> of(Image image) {
    Set<NetworkName> suspects = new HashSet<>();
    for (DpuName dpu : image.dpus().keySet()) {
      Set<DpuName> peers = narrowPeers(dpu);
      if (!peers.isEmpty()) {
        image.portsOf(dpu).keySet().stream()
            .map(PortName::network)
            .distinct()
            .filter(network -> !suspects.contains(network))
            .filter(network -> isCarriedBy(image, network, peers))
            .forEach(suspects::add);
      }
    }
    clean.keySet().retainAll(image.dpus().keySet());
    return suspects;
  }

  private Set<DpuName> narrowPeers(DpuName dpu) {
    Optional<PathReport> report = reported.of(dpu);
    if (report.isEmpty() || isClean(dpu, report.get())) {
      return Set.of();
    }
    Set<DpuName> peers =
        report.get().getPathsList().stream()
            .filter(PathEvidence::isNarrow)
            .map(path -> DpuName.parse(path.getPeer()))
            .collect(Collectors.toUnmodifiableSet());
    if (peers.isEmpty()) {
      clean.put(dpu, report.get());
    }
    return peers;
  }

  /** The very same object: to compare what is in it costs as much as to look at it. */
  @SuppressWarnings("ReferenceEquality")
  private boolean isClean(DpuName dpu, PathReport report) {
    return clean.get(dpu) == report;
  }

  private static boolean isCarriedBy(Image image, NetworkName network, Set<DpuName> peers) {
    Set<DpuName> dpus = image.dpusOf(network);
    return peers.stream().anyMatch(dpus::contains);
  }
}
