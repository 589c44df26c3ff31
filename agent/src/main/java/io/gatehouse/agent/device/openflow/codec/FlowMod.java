package io.gatehouse.agent.device.openflow.codec;

import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.FlowKey;
import io.gatehouse.model.net.InvalidValueException;
import java.util.List;

/** One change of a switch's flows (OpenFlow 1.5.1 §6.4). Its text names it in errors. */
public sealed interface FlowMod {

  /**
   * Adds a flow, or replaces the one of the same key: cookie and actions become the new ones,
   * packet and byte counts are kept, the age starts again.
   */
  record Add(Flow flow) implements FlowMod {
    public Add {
      checkSendable(flow.actions());
    }

    @Override
    public String toString() {
      return "add " + flow;
    }
  }

  /**
   * Changes the actions of the flow with this key, and does nothing if there is none. Counts and
   * age are kept; so is the cookie, which OpenFlow cannot change this way: use {@link Add} for it.
   */
  record ModifyStrict(Flow flow) implements FlowMod {
    public ModifyStrict {
      checkSendable(flow.actions());
    }

    @Override
    public String toString() {
      return "modify_strict " + flow;
    }
  }

  /** Removes the flow with this key, and does nothing if there is none. */
  record DeleteStrict(FlowKey key) implements FlowMod {
    @Override
    public String toString() {
      return "delete_strict " + key;
    }
  }

  /**
   * Removes all flows of one table, or of all tables, whose cookie agrees with this one in the
   * mask's bits. An empty mask is refused: it would remove what others own. Cookie 0 in all tables
   * is refused by the switch, whose own hidden flows have it too.
   */
  record DeleteByCookie(int table, long cookie, long mask) implements FlowMod {
    public DeleteByCookie {
      if (mask == 0) {
        throw new InvalidValueException("cookie_mask", mask, "selects the flows of everybody");
      }
    }

    public DeleteByCookie(long cookie, long mask) {
      this(FlowFilter.ALL_TABLES, cookie, mask);
    }

    @Override
    public String toString() {
      String where = table == FlowFilter.ALL_TABLES ? "" : "table=" + table + ",";
      return "delete "
          + where
          + "cookie=0x"
          + Long.toHexString(cookie)
          + "/0x"
          + Long.toHexString(mask);
    }
  }

  private static void checkSendable(List<Action> actions) {
    for (Action action : actions) {
      if (action instanceof Action.Foreign) {
        throw new InvalidValueException("actions", action, "belongs to another program");
      }
    }
  }
}
