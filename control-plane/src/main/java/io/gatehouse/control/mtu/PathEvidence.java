package io.gatehouse.control.mtu;

import io.gatehouse.control.decide.fit.NarrowPath;
import io.gatehouse.control.decide.fit.NetworkMtu;
import io.gatehouse.control.decide.fit.PathLimits;
import io.gatehouse.control.fleet.DpuStatusStore;
import io.gatehouse.control.image.Image;
import io.gatehouse.model.Network;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.PathReport;
import io.gatehouse.proto.v1.PathState;
import io.gatehouse.proto.v1.UnderlayPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of the paths between the DPUs of one network. A path that a DPU does not tell of is
 * one that nobody uses, or one of many that are whole. Pure.
 *
 * @param narrow those that carry less than the network needs, in both directions
 * @param complete whether it is known of every path how much it carries
 */
record PathEvidence(List<NarrowPath> narrow, boolean complete) {
  PathEvidence {
    narrow = List.copyOf(narrow);
  }

  static PathEvidence of(Image image, Network network, ReportedPaths reported) {
    Map<String, DpuName> dpus = new HashMap<>();
    image.dpusOf(network.name()).forEach(dpu -> dpus.put(dpu.toString(), dpu));
    int unlimited = PathLimits.unlimitedBytes(image, network);
    List<NarrowPath> narrow = new ArrayList<>();
    boolean complete = true;
    for (DpuName from : image.dpusOf(network.name())) {
      Optional<PathReport> report = reported.of(from);
      int needed =
          image
              .dpu(from)
              .map(dpu -> NetworkMtu.stack(dpu).neededUnderlayBytes(unlimited))
              .orElse(Integer.MAX_VALUE);
      complete &= report.isPresent() && !isCut(report.get());
      for (UnderlayPath path : report.map(PathReport::getPathsList).orElse(List.of())) {
        DpuName to = dpus.get(path.getPeer());
        if (to == null || isWhole(path, needed)) {
          continue;
        }
        if (isNarrow(path)) {
          narrow.add(new NarrowPath(from, to, path.getProvenBytes()));
        } else {
          complete = false;
        }
      }
    }
    return new PathEvidence(narrow, complete);
  }

  /**
   * Small packets arrive and large ones do not, and where between the two it changes is known; of a
   * way on which nothing arrives it is not said.
   */
  static boolean isNarrow(UnderlayPath path) {
    return path.getState() == PathState.PATH_STATE_BLACK_HOLE
        && path.getProvenBytes() > 0
        && path.getLostBytes() == path.getProvenBytes() + 1;
  }

  /** Whether paths that are not whole may have been left out: those that are would go first. */
  private static boolean isCut(PathReport report) {
    return report.getPathsCount() >= DpuStatusStore.KEPT_PATHS
        && report.getPathsList().stream()
            .noneMatch(path -> path.getState() == PathState.PATH_STATE_PROVEN);
  }

  /** Whatever else is needed there: a packet of this network's size has arrived. */
  private static boolean isWhole(UnderlayPath path, int needed) {
    boolean known =
        path.getState() == PathState.PATH_STATE_PROVEN
            || path.getState() == PathState.PATH_STATE_BLACK_HOLE;
    return known && path.getProvenBytes() >= needed;
  }
}
