package io.gatehouse.control.fleet;

import io.gatehouse.control.image.Image;
import io.gatehouse.model.name.DpuName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Up to which revision the policy is real on a set of DPUs, and where it is not. Pure.
 *
 * @param revision of the image
 * @param applied every change up to this revision is applied and read back on all the DPUs
 * @param laggards DPUs that lack something, the furthest behind first
 */
public record LowWater(long revision, long applied, int dpuCount, List<DpuName> laggards) {
  public LowWater {
    laggards = List.copyOf(laggards);
  }

  /** Computes it; a DPU without progress has applied nothing. */
  public static LowWater of(
      Image image, Collection<DpuName> dpus, Map<DpuName, DpuProgress> progress) {
    long newest = image.revision();
    long applied = newest;
    List<DpuName> laggards = new ArrayList<>();
    for (DpuName dpu : dpus) {
      DpuProgress of = progress.getOrDefault(dpu, DpuProgress.UNKNOWN);
      if (!of.isCurrent()) {
        laggards.add(dpu);
        applied = Math.min(applied, of.confirmed(newest));
      }
    }
    laggards.sort(
        Comparator.comparingLong(
                (DpuName dpu) -> progress.getOrDefault(dpu, DpuProgress.UNKNOWN).confirmed(newest))
            .thenComparing(Comparator.naturalOrder()));
    return new LowWater(newest, applied, dpus.size(), laggards);
  }
}
