package io.gatehouse.model.security;

import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.Limits;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;

/**
 * What ports may do: their host may open, and be opened to, what a rule of one of their groups
 * allows, and nothing else. The order of the rules means nothing.
 *
 * @param rules at most {@link #MAX_RULES}, none twice
 * @param createdAt by the control plane's clock
 * @param updatedAt by the control plane's clock
 */
public record SecurityGroup(
    SecurityGroupName name,
    String displayName,
    List<SecurityRule> rules,
    Instant createdAt,
    Instant updatedAt) {
  public static final int MAX_RULES = 1_000;

  /** The id of the group that ports of a tenant get when they name none, where there is one. */
  public static final String DEFAULT_ID = "default";

  public SecurityGroup {
    rules = List.copyOf(rules);
    Limits.displayName("display_name", displayName);
    checkRules(name, rules);
  }

  /** Refuses too many rules, a rule that is there twice, and a group of another tenant. */
  public static void checkRules(SecurityGroupName name, List<SecurityRule> rules) {
    if (rules.size() > MAX_RULES) {
      throw new InvalidValueException("rules", rules.size() + " elements", "are over " + MAX_RULES);
    }
    HashSet<SecurityRule> seen = new HashSet<>();
    for (int i = 0; i < rules.size(); i++) {
      SecurityRule rule = rules.get(i);
      if (!seen.add(rule)) {
        throw new InvalidValueException("rules[" + i + "]", rule, "is there twice");
      }
      if (rule.remote() instanceof Remote.Group remote
          && !remote.group().tenant().equals(name.tenant())) {
        throw new InvalidValueException(
            "rules[" + i + "].remote_group", remote.group(), "is not of " + name.tenant());
      }
    }
  }
}
