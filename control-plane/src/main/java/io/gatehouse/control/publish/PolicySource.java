package io.gatehouse.control.publish;

import io.gatehouse.control.publish.projection.Projection;
import io.gatehouse.model.name.DpuName;
import java.util.Optional;

/** Gives the newest policy of a DPU. Safe for use by many threads. */
interface PolicySource {
  /** The newest policy; empty if no such DPU is registered. */
  Optional<Projection> project(DpuName dpu);

  /**
   * Calls {@link SyncSession#policyChanged} once when the journal as known here has reached a
   * revision; forgotten when the session closes.
   */
  void awaitRevision(SyncSession session, long revision);
}
