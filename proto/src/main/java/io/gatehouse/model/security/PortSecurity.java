package io.gatehouse.model.security;

import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.net.InvalidValueException;
import java.util.HashSet;
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
    check("security_groups", groups, MAX_GROUPS);
    check("allowed_address_pairs", allowedPairs, MAX_PAIRS);
  }

  private static void check(String field, List<?> values, int limit) {
    if (values.size() > limit) {
      throw new InvalidValueException(field, values.size() + " elements", "are over " + limit);
    }
    if (new HashSet<>(values).size() != values.size()) {
      throw new InvalidValueException(field, values, "has an element twice");
    }
  }
}
