package io.gatehouse.agent.state.planned;

import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.RateMeter;
import java.util.List;

/**
 * The flows that serve one owner, all with the owner's cookie, and the meters that they use.
 *
 * @param owner name of the resource, or of the part of the pipeline, that the flows serve
 * @param inputs everything the flows were computed from: equal inputs give equal flows
 * @param meters no other fragment's flows use them
 */
public record Fragment(String owner, Object inputs, List<Flow> flows, List<RateMeter> meters) {
  public Fragment {
    flows = List.copyOf(flows);
    meters = List.copyOf(meters);
  }

  /** A fragment without meters. */
  public Fragment(String owner, Object inputs, List<Flow> flows) {
    this(owner, inputs, flows, List.of());
  }
}
