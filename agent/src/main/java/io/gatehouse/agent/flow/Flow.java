package io.gatehouse.agent.flow;

import io.gatehouse.model.net.InvalidValueException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One flow of a switch, in canonical form; it is valid if it exists. An empty list of actions
 * drops.
 *
 * @param table 0..253; 254 is Open vSwitch's own, 255 means "all" on the wire
 * @param priority 0..65535
 * @param cookie any 64 bits but all ones, which means "leave as it is" on the wire
 */
public record Flow(int table, int priority, long cookie, Match match, List<Action> actions) {
  public static final int MAX_TABLE = 253;
  public static final int MAX_PRIORITY = 0xffff;

  /** Below the 64 kB of a message, with one conjunction for each rule of a security group. */
  public static final int MAX_ACTIONS = 1_024;

  public Flow {
    Checks.range("table", table, 0, MAX_TABLE);
    Checks.range("priority", priority, 0, MAX_PRIORITY);
    if (cookie == -1) {
      throw new InvalidValueException("cookie", "2^64-1", "means no change of the cookie");
    }
    actions = List.copyOf(actions);
    Checks.range("actions.size", actions.size(), 0, MAX_ACTIONS);
    checkConjunctions(actions);
    for (Action action : actions) {
      if (Action.isOfConnection(action)) {
        throw new InvalidValueException("actions", action, "is possible in ct(...) only");
      }
    }
  }

  public FlowKey key() {
    return new FlowKey(table, priority, match);
  }

  /** The flow as {@code ovs-ofctl add-flow} reads it. */
  @Override
  public String toString() {
    return "table="
        + table
        + ",priority="
        + priority
        + ",cookie=0x"
        + Long.toHexString(cookie)
        + (match.isAny() ? "" : "," + match)
        + " actions="
        + actionsText(actions);
  }

  static String actionsText(List<Action> actions) {
    return actions.isEmpty()
        ? "drop"
        : actions.stream().map(Action::toString).collect(Collectors.joining(","));
  }

  /** Open vSwitch takes conjunctions only alone, or with notes (ovs-fields(7)). */
  private static void checkConjunctions(List<Action> actions) {
    if (actions.stream().noneMatch(Action.Conjunction.class::isInstance)) {
      return;
    }
    for (Action action : actions) {
      if (!(action instanceof Action.Conjunction || action instanceof Action.Note)) {
        throw new InvalidValueException("actions", action, "stands next to a conjunction");
      }
    }
  }
}
