package io.gatehouse.agent.state.planned;

import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.RateMeter;
import java.util.List;

/**
 * The flows that serve one owner, all with the owner's cookie, and the meters and limits of the
 * connection tracker that must be there before them.
 *
 * @param owner name of the resource, or of the part of the pipeline, that the flows serve
 * @param inputs everything the flows were computed from: equal inputs give equal flows
 * @param meters no other fragment's flows use them
 * @param limits no other fragment's flows track in their zones
 */
public record Fragment(
    String owner,
    Object inputs,
    List<Flow> flows,
    List<RateMeter> meters,
    List<ConnectionLimit> limits) {
  public Fragment {
    flows = List.copyOf(flows);
    meters = List.copyOf(meters);
    limits = List.copyOf(limits);
  }

  /** A fragment whose flows track no connection. */
  public Fragment(String owner, Object inputs, List<Flow> flows, List<RateMeter> meters) {
    this(owner, inputs, flows, meters, List.of());
  }

  /** A fragment without meters. */
  public Fragment(String owner, Object inputs, List<Flow> flows) {
    this(owner, inputs, flows, List.of());
  }
}
