package io.gatehouse.agent.device.openflow.codec;

import io.gatehouse.agent.flow.Flow;

/** What somebody else did to a flow. A removed flow has the actions that it had. */
public record FlowChange(Kind kind, Flow flow, FlowEntry.Expiry expiry) {

  /** What became of the flow. */
  public enum Kind {
    ADDED,
    MODIFIED,
    REMOVED
  }
}
