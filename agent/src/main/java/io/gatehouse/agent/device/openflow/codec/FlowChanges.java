package io.gatehouse.agent.device.openflow.codec;

import java.util.List;

/**
 * One message of a flow monitor.
 *
 * @param gap true if some changes cannot be known: the switch paused or resumed its reports, or
 *     told of a flow that cannot be read. The flows must then be read anew.
 */
public record FlowChanges(List<FlowChange> changes, boolean gap) {
  public FlowChanges {
    changes = List.copyOf(changes);
  }
}
