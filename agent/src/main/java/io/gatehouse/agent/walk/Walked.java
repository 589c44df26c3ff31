package io.gatehouse.agent.walk;

import io.gatehouse.agent.flow.Flow;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What became of a packet.
 *
 * @param deliveries where it went, in order; empty if it died
 * @param used all flows that it met
 * @param givenUp why the switch drops the packet after all, whatever was delivered before
 * @param unknown actions whose effect cannot be told from flows: the packet may be anywhere
 */
public record Walked(
    List<Delivery> deliveries, Set<Flow> used, Optional<String> givenUp, List<Unknown> unknown) {
  public Walked {
    deliveries = List.copyOf(deliveries);
    unknown = List.copyOf(unknown);
  }

  /** Something that the walk cannot follow. */
  public record Unknown(String action, List<Flow> path) {
    public Unknown {
      path = List.copyOf(path);
    }
  }
}
