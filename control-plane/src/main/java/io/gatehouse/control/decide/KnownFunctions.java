package io.gatehouse.control.decide;

import io.gatehouse.model.name.DpuName;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Functions that DPUs have reported. A DPU that is absent has reported none yet: that is "unknown",
 * and refuses nothing.
 */
public record KnownFunctions(Map<DpuName, List<String>> byDpu) {
  public static final KnownFunctions NONE = new KnownFunctions(Map.of());

  public KnownFunctions {
    byDpu = Map.copyOf(byDpu);
  }

  /** What one DPU has reported. */
  public static KnownFunctions of(DpuName dpu, List<String> functions) {
    return new KnownFunctions(Map.of(dpu, List.copyOf(functions)));
  }

  Optional<List<String>> of(DpuName dpu) {
    return Optional.ofNullable(byDpu.get(dpu));
  }
}
