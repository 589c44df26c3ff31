package io.gatehouse.control.publish.projection;

import io.gatehouse.proto.v1.PolicyRemoval;
import java.util.List;

/** What leads from what an agent holds to its policy. */
public record PolicyDelta(List<EncodedResource> upserts, List<PolicyRemoval> removals) {
  public static final PolicyDelta NOTHING = new PolicyDelta(List.of(), List.of());

  public int size() {
    return upserts.size() + removals.size();
  }
}
