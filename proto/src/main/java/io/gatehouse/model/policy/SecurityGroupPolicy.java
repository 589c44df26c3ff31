package io.gatehouse.model.policy;

import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.security.SecurityGroup;
import io.gatehouse.model.security.SecurityRule;
import java.util.List;

/**
 * A security group of a port on this DPU. Who is a member of a group that a rule names is said by
 * the ports.
 */
public record SecurityGroupPolicy(SecurityGroupName name, List<SecurityRule> rules)
    implements PolicyResource {
  public SecurityGroupPolicy {
    rules = List.copyOf(rules);
    SecurityGroup.checkRules(name, rules);
  }

  @Override
  public String key() {
    return name.toString();
  }
}
