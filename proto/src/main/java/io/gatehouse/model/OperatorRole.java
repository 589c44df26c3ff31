package io.gatehouse.model;

/** What an operator may do; the table of every RPC is in docs/security.md. */
public enum OperatorRole {
  /** Everything, also identities, roles and authorities. */
  FLEET_ADMIN,
  /** Tenants, networks, ports and DPUs. */
  FLEET_OPERATOR,
  /** Reads everything, also the audit. */
  AUDITOR,
  /** Networks and ports of its own tenant. */
  TENANT_ADMIN,
  /** Reads its own tenant. */
  TENANT_VIEWER;

  /** Whether it is a role within one tenant; the others are of the fleet. */
  public boolean ofTenant() {
    return this == TENANT_ADMIN || this == TENANT_VIEWER;
  }
}
