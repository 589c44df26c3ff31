package io.gatehouse.agent.flow;

/** What makes a flow the same flow: two flows of one switch never share it. */
public record FlowKey(int table, int priority, Match match) {
  public FlowKey {
    Checks.range("table", table, 0, Flow.MAX_TABLE);
    Checks.range("priority", priority, 0, Flow.MAX_PRIORITY);
  }

  @Override
  public String toString() {
    return "table=" + table + ",priority=" + priority + (match.isAny() ? "" : "," + match);
  }
}
