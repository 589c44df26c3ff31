package io.gatehouse.model.security;

import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.net.Limits;
import java.util.List;

/**
 * Who a port may say it is, and whom it may talk to.
 *
 * @param groups of the port's tenant; none: the whole network; in order of their names
 * @param allowedPairs addresses besides its own
 */
public record PortSecurity(List<SecurityGroupName> groups, List<AddressPair> allowedPairs) {
  public static final int MAX_GROUPS = 10;
  public static final int MAX_PAIRS = 16;

  public static final PortSecurity NONE = new PortSecurity(List.of(), List.of());

  public PortSecurity {
    groups = groups.stream().sorted().toList();
    allowedPairs = List.copyOf(allowedPairs);
    Limits.elements("security_groups", groups, MAX_GROUPS);
    Limits.elements("allowed_address_pairs", allowedPairs, MAX_PAIRS);
  }
}
