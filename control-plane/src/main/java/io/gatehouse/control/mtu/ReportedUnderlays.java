package io.gatehouse.control.mtu;

import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.UnderlayObservation;
import java.util.Optional;

/** What carries the tunnels of DPUs, as they report it. Returns at once, from any thread. */
@FunctionalInterface
public interface ReportedUnderlays {
  /** The newest of a DPU; empty if it has reported none. */
  Optional<UnderlayObservation> of(DpuName dpu);
}
