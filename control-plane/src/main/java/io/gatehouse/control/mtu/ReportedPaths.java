package io.gatehouse.control.mtu;

import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.PathReport;
import java.util.Optional;

/** What DPUs report of the paths away from them. Returns at once, from any thread. */
@FunctionalInterface
public interface ReportedPaths {
  /** The newest of a DPU; empty if it is not connected, or has told nothing since it connected. */
  Optional<PathReport> of(DpuName dpu);
}
