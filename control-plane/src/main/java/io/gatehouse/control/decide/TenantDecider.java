package io.gatehouse.control.decide;

import static java.util.Objects.requireNonNullElse;

import io.gatehouse.control.decide.TenantCommand.CreateTenant;
import io.gatehouse.control.decide.TenantCommand.DeleteTenant;
import io.gatehouse.control.decide.TenantCommand.TenantPatch;
import io.gatehouse.control.decide.TenantCommand.UpdateTenant;
import io.gatehouse.control.image.Event;
import io.gatehouse.control.image.Event.PeeringDeleted;
import io.gatehouse.control.image.Event.TenantDeleted;
import io.gatehouse.control.image.Event.TenantPut;
import io.gatehouse.control.image.Image;
import io.gatehouse.model.Tenant;
import io.gatehouse.model.TenantQuota;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Decides commands about tenants. */
final class TenantDecider {
  private TenantDecider() {}

  static List<Event> decide(Image image, TenantCommand command) {
    if (command instanceof CreateTenant create) {
      return create(image, create);
    }
    if (command instanceof UpdateTenant update) {
      return update(image, update);
    }
    return delete(image, (DeleteTenant) command);
  }

  private static List<Event> create(Image image, CreateTenant command) {
    Refusals.absent(image.tenant(command.name()), command.name());
    Instant now = command.request().time();
    return List.of(
        new TenantPut(
            new Tenant(
                command.name(),
                command.displayName(),
                command.quota(),
                command.suspended(),
                now,
                now)));
  }

  private static List<Event> update(Image image, UpdateTenant command) {
    Tenant old = Refusals.existing(image.tenant(command.name()), command.name());
    Etag.check(command.etag(), old, command.name());
    TenantPatch patch = command.patch();
    TenantQuota quota =
        new TenantQuota(
            requireNonNullElse(patch.maxNetworks(), old.quota().maxNetworks()),
            requireNonNullElse(patch.maxPorts(), old.quota().maxPorts()),
            requireNonNullElse(patch.maxSecurityGroups(), old.quota().maxSecurityGroups()));
    checkQuota(image, old, quota);
    return List.of(
        new TenantPut(
            new Tenant(
                old.name(),
                requireNonNullElse(patch.displayName(), old.displayName()),
                quota,
                requireNonNullElse(patch.suspended(), old.suspended()),
                old.createdAt(),
                command.request().time())));
  }

  /** Its operators go with it: a later tenant of the same name must not find them. */
  private static List<Event> delete(Image image, DeleteTenant command) {
    Tenant old = Refusals.existing(image.tenant(command.name()), command.name());
    Etag.check(command.etag(), old, command.name());
    Refusals.unused(old.name(), "networks", image.networksOf(old.name()).keySet());
    Refusals.unused(old.name(), "security groups", image.securityGroupsOf(old.name()).keySet());
    List<Event> events = new ArrayList<>();
    image
        .operatorsOf(old.name())
        .keySet()
        .forEach(name -> events.addAll(OperatorDecider.end(image, name)));
    // Nor what others had agreed to with this one: that is a grant.
    image.peerings().values().stream()
        .filter(half -> half.peer().tenant().equals(old.name()))
        .forEach(half -> events.add(new PeeringDeleted(half.name())));
    events.add(new TenantDeleted(old.name()));
    return events;
  }

  /** A quota is never below what the tenant owns: a lower one would be broken from the start. */
  private static void checkQuota(Image image, Tenant tenant, TenantQuota quota) {
    int networks = image.networksOf(tenant.name()).size();
    if (quota.maxNetworks() < networks && quota.maxNetworks() != tenant.quota().maxNetworks()) {
      throw below(tenant, "max_networks", quota.maxNetworks(), networks + " networks");
    }
    int ports = image.portsOf(tenant.name()).size();
    if (quota.maxPorts() < ports && quota.maxPorts() != tenant.quota().maxPorts()) {
      throw below(tenant, "max_ports", quota.maxPorts(), ports + " ports");
    }
    int groups = image.securityGroupsOf(tenant.name()).size();
    int maxGroups = quota.maxSecurityGroups();
    if (maxGroups < groups && maxGroups != tenant.quota().maxSecurityGroups()) {
      throw below(tenant, "max_security_groups", maxGroups, groups + " security groups");
    }
  }

  private static RefusedException below(Tenant tenant, String field, int asked, String owned) {
    return Refusals.precondition(
        "quota." + field, tenant.name() + " has " + owned + ", more than " + asked);
  }
}
