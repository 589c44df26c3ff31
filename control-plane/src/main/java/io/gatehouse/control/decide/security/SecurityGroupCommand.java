package io.gatehouse.control.decide.security;

import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.security.SecurityRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands about a security group. */
public sealed interface SecurityGroupCommand extends SecurityCommand {
  SecurityGroupName name();

  @Override
  default String subject() {
    return name().toString();
  }

  /** Makes a group. */
  record CreateGroup(SecurityGroupName name, String displayName, List<SecurityRule> rules)
      implements SecurityGroupCommand {
    public CreateGroup {
      rules = List.copyOf(rules);
    }
  }

  /**
   * Changes a group.
   *
   * @param etag that must be current; empty: whatever is there
   */
  record UpdateGroup(SecurityGroupName name, GroupPatch patch, String etag)
      implements SecurityGroupCommand {}

  /**
   * Removes a group.
   *
   * @param etag that must be current; empty: whatever is there
   */
  record DeleteGroup(SecurityGroupName name, String etag) implements SecurityGroupCommand {}

  /**
   * New values; null leaves the old one.
   *
   * @param rules all of them
   */
  record GroupPatch(@Nullable String displayName, @Nullable List<SecurityRule> rules) {}
}
