package io.gatehouse.model;

import io.gatehouse.model.net.Limits;

/** Limits of what a tenant may own. */
public record TenantQuota(int maxNetworks, int maxPorts, int maxSecurityGroups) {
  public static final TenantQuota DEFAULT = new TenantQuota(16, 1_000, 100);

  public static final int NETWORKS_LIMIT = 4_096;
  public static final int PORTS_LIMIT = 100_000;
  public static final int SECURITY_GROUPS_LIMIT = 4_096;

  public TenantQuota {
    Limits.range("quota.max_networks", maxNetworks, 0, NETWORKS_LIMIT);
    Limits.range("quota.max_ports", maxPorts, 0, PORTS_LIMIT);
    Limits.range("quota.max_security_groups", maxSecurityGroups, 0, SECURITY_GROUPS_LIMIT);
  }
}
