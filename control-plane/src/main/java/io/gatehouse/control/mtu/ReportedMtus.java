package io.gatehouse.control.mtu;

import io.gatehouse.control.decide.fit.MtuChange;
import io.gatehouse.model.name.DpuName;

/** What DPUs have reported. Returns at once, from any thread. */
@FunctionalInterface
public interface ReportedMtus {
  /** The newest of a DPU; {@link MtuChange.Facts#NONE} if it has reported nothing. */
  MtuChange.Facts of(DpuName dpu);
}
