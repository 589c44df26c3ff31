package io.gatehouse.control.decide.security;

import static java.util.Objects.requireNonNullElse;

import io.gatehouse.control.decide.Etag;
import io.gatehouse.control.decide.Refusals;
import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.control.decide.security.SecurityGroupCommand.CreateGroup;
import io.gatehouse.control.decide.security.SecurityGroupCommand.DeleteGroup;
import io.gatehouse.control.decide.security.SecurityGroupCommand.UpdateGroup;
import io.gatehouse.control.image.Event;
import io.gatehouse.control.image.Event.SecurityGroupDeleted;
import io.gatehouse.control.image.Event.SecurityGroupPut;
import io.gatehouse.control.image.Image;
import io.gatehouse.model.Tenant;
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.security.Remote;
import io.gatehouse.model.security.SecurityGroup;
import java.time.Instant;
import java.util.List;

/** Decides commands about security groups. No rule names a group that is not there. */
final class SecurityGroupDecider {
  private SecurityGroupDecider() {}

  static List<Event> decide(Image image, Instant now, SecurityGroupCommand command) {
    if (command instanceof CreateGroup create) {
      return create(image, now, create);
    }
    if (command instanceof UpdateGroup update) {
      return update(image, now, update);
    }
    return delete(image, (DeleteGroup) command);
  }

  private static List<Event> create(Image image, Instant now, CreateGroup command) {
    SecurityGroupName name = command.name();
    Tenant tenant = Refusals.existing(image.tenant(name.tenant()), name.tenant());
    Refusals.absent(image.securityGroup(name), name);
    checkQuota(image, tenant);
    SecurityGroup group = new SecurityGroup(name, command.displayName(), command.rules(), now, now);
    checkRemotes(image, group);
    return List.of(new SecurityGroupPut(group));
  }

  private static List<Event> update(Image image, Instant now, UpdateGroup command) {
    SecurityGroup old = Refusals.existing(image.securityGroup(command.name()), command.name());
    Etag.check(command.etag(), old, command.name());
    SecurityGroup group =
        new SecurityGroup(
            old.name(),
            requireNonNullElse(command.patch().displayName(), old.displayName()),
            requireNonNullElse(command.patch().rules(), old.rules()),
            old.createdAt(),
            now);
    checkRemotes(image, group);
    return List.of(new SecurityGroupPut(group));
  }

  private static List<Event> delete(Image image, DeleteGroup command) {
    SecurityGroup old = Refusals.existing(image.securityGroup(command.name()), command.name());
    Etag.check(command.etag(), old, command.name());
    Refusals.unused(old.name(), "ports", image.membersOf(old.name()).keySet());
    List<SecurityGroupName> naming =
        image.securityGroupsOf(old.name().tenant()).values().stream()
            .filter(other -> !other.name().equals(old.name()) && names(other, old.name()))
            .map(SecurityGroup::name)
            .toList();
    Refusals.unused(old.name(), "rules of other groups that name it", naming);
    return List.of(new SecurityGroupDeleted(old.name()));
  }

  private static boolean names(SecurityGroup group, SecurityGroupName wanted) {
    return group.rules().stream()
        .anyMatch(rule -> rule.remote() instanceof Remote.Group r && r.group().equals(wanted));
  }

  private static void checkRemotes(Image image, SecurityGroup group) {
    for (int i = 0; i < group.rules().size(); i++) {
      if (group.rules().get(i).remote() instanceof Remote.Group remote
          && !remote.group().equals(group.name())
          && image.securityGroup(remote.group()).isEmpty()) {
        throw Refusals.precondition(
            "rules[" + i + "].remote_group", remote.group() + " does not exist");
      }
    }
  }

  private static void checkQuota(Image image, Tenant tenant) {
    int groups = image.securityGroupsOf(tenant.name()).size();
    int quota = tenant.quota().maxSecurityGroups();
    if (groups >= quota) {
      throw new RefusedException(
          Kind.RESOURCE_EXHAUSTED,
          tenant.name() + " has " + groups + " security groups, its quota is " + quota);
    }
  }
}
