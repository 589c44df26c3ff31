package io.gatehouse.control.publish;

import io.gatehouse.control.publish.projection.Projection;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.PolicySeal;
import java.util.Optional;

/** Gives the newest policy of a DPU, signed. Safe for use by many threads. */
interface PolicySource {
  /** The newest policy; empty if no such DPU is registered. */
  Optional<Projection> project(DpuName dpu);

  /** Signs a policy of a DPU. */
  PolicySeal seal(DpuName dpu, Projection policy);

  /**
   * Calls {@link SyncSession#policyChanged} once when the journal as known here has reached a
   * revision; forgotten when the session closes.
   */
  void awaitRevision(SyncSession session, long revision);
}
