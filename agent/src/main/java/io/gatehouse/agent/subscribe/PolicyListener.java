package io.gatehouse.agent.subscribe;

import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.Problem;
import java.util.List;

/** Is told of each policy to put in force. Called on the subscriber's thread; must not block. */
public interface PolicyListener {
  /**
   * A policy is to be in force now.
   *
   * @param unreadable resources that came with it and could not be read
   */
  void policyChanged(Policy policy, List<Problem> unreadable);

  /** A policy was refused; what is in force stays. */
  default void policyRefused(PolicyRefusedException.Reason reason) {}
}
