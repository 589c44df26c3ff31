package io.gatehouse.agent.state.observed;

import io.gatehouse.agent.flow.RateMeter;
import java.util.Map;
import java.util.Set;

/**
 * The meters of the bridge.
 *
 * @param meters by id
 * @param strange ids of meters that use what Gatehouse never writes
 * @param room how many meters the switch can have; 0 if it cannot measure what is needed
 */
public record MeterView(Map<Integer, RateMeter> meters, Set<Integer> strange, long room) {
  public MeterView {
    meters = Map.copyOf(meters);
    strange = Set.copyOf(strange);
  }
}
