package io.gatehouse.agent.flow;

/** What makes a flow the same flow: two flows of one switch never share it. */
public record FlowKey(int table, int priority, Match match) {
  @Override
  public String toString() {
    return "table=" + table + ",priority=" + priority + (match.isAny() ? "" : "," + match);
  }
}
