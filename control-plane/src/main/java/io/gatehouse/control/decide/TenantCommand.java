package io.gatehouse.control.decide;

import io.gatehouse.model.TenantQuota;
import io.gatehouse.model.name.TenantName;
import org.jspecify.annotations.Nullable;

/** Commands about a tenant. */
public sealed interface TenantCommand extends Command {
  TenantName name();

  @Override
  default String subject() {
    return name().toString();
  }

  /** Makes a tenant. */
  record CreateTenant(
      Request request, TenantName name, String displayName, TenantQuota quota, boolean suspended)
      implements TenantCommand {}

  /**
   * Changes a tenant.
   *
   * @param etag that must be current; empty: whatever is there
   */
  record UpdateTenant(Request request, TenantName name, TenantPatch patch, String etag)
      implements TenantCommand {}

  /**
   * Removes a tenant.
   *
   * @param etag that must be current; empty: whatever is there
   */
  record DeleteTenant(Request request, TenantName name, String etag) implements TenantCommand {}

  /** New values; null leaves the old one. */
  record TenantPatch(
      @Nullable String displayName,
      @Nullable Integer maxNetworks,
      @Nullable Integer maxPorts,
      @Nullable Integer maxSecurityGroups,
      @Nullable Boolean suspended) {}
}
