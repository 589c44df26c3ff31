package io.gatehouse.agent.device.openflow.codec;

import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.model.net.InvalidValueException;

/**
 * Which flows to read. A filter for one exact cookie is cheap: Open vSwitch looks it up in an
 * index; any other visits every flow of the table.
 *
 * @param table one table, or {@link #ALL_TABLES}
 * @param match flows must look at least at this
 */
public record FlowFilter(int table, long cookie, long cookieMask, Match match) {
  public static final int ALL_TABLES = 255;
  public static final FlowFilter ALL = new FlowFilter(ALL_TABLES, 0, 0, Match.ANY);

  public FlowFilter {
    if (table != ALL_TABLES && (table < 0 || table > Flow.MAX_TABLE)) {
      throw new InvalidValueException("table", table, "is outside 0.." + Flow.MAX_TABLE);
    }
  }

  public static FlowFilter ofCookie(long cookie) {
    return ofCookie(cookie, -1);
  }

  public static FlowFilter ofCookie(long cookie, long mask) {
    return new FlowFilter(ALL_TABLES, cookie, mask, Match.ANY);
  }

  public FlowFilter inTable(int one) {
    return new FlowFilter(one, cookie, cookieMask, match);
  }
}
