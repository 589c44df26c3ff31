package io.gatehouse.agent.reconcile;

import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.Problem;
import java.util.List;

/**
 * What the loop works towards.
 *
 * @param unreadable resources that came with the policy and could not be read
 * @param receivedNanos monotonic time of its arrival
 */
public record Target(Policy policy, List<Problem> unreadable, long receivedNanos) {
  public static final Target NONE = new Target(Policy.NONE, List.of(), 0);
}
