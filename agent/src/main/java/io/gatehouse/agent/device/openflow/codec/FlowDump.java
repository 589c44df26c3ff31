package io.gatehouse.agent.device.openflow.codec;

import io.gatehouse.agent.flow.Flow;
import java.util.List;

/**
 * The flows that were read, and what is known of those that use what this program does not know.
 */
public record FlowDump(List<FlowEntry> entries, List<Unreadable> unreadable) {
  public FlowDump {
    entries = List.copyOf(entries);
    unreadable = List.copyOf(unreadable);
  }

  /** A flow with a field or an action of another program. */
  public record Unreadable(int table, int priority, long cookie, String reason) {}

  public List<Flow> flows() {
    return entries.stream().map(FlowEntry::flow).toList();
  }
}
