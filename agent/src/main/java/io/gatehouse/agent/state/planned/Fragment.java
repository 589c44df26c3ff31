package io.gatehouse.agent.state.planned;

import io.gatehouse.agent.flow.Flow;
import java.util.List;

/**
 * The flows that serve one owner, all with the owner's cookie.
 *
 * @param owner name of the resource, or of the part of the pipeline, that the flows serve
 * @param inputs everything the flows were computed from: equal inputs give equal flows
 */
public record Fragment(String owner, Object inputs, List<Flow> flows) {
  public Fragment {
    flows = List.copyOf(flows);
  }
}
