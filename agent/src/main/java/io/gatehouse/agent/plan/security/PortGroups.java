package io.gatehouse.agent.plan.security;

import java.util.List;

/**
 * What the flows of a port with groups are made from.
 *
 * @param zone of its connections
 * @param groups numbers of its groups, by which their flows are called
 */
public record PortGroups(int zone, List<Long> groups) {
  /** A port without groups: everything inside its network. */
  public static final PortGroups NONE = new PortGroups(0, List.of());

  public PortGroups {
    groups = List.copyOf(groups);
  }

  public boolean isEmpty() {
    return groups.isEmpty();
  }
}
