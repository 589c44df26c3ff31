package io.gatehouse.control.auth;

import io.gatehouse.model.OperatorRole;
import java.util.Locale;

/** What a caller is; the columns of the table in docs/security.md. */
public enum Role {
  /** Everything, also identities, roles and authorities. */
  FLEET_ADMIN,
  /** Tenants, networks, ports and DPUs. */
  FLEET_OPERATOR,
  /** Reads everything, also the audit. */
  AUDITOR,
  /** Networks and ports of its own tenant. */
  TENANT_ADMIN,
  /** Reads its own tenant. */
  TENANT_VIEWER,
  /** A DPU's agent. */
  DPU,
  /** Nobody in particular: no certificate, no token. */
  ANYONE;

  /** The role of an operator. */
  public static Role of(OperatorRole role) {
    return switch (role) {
      case FLEET_ADMIN -> FLEET_ADMIN;
      case FLEET_OPERATOR -> FLEET_OPERATOR;
      case AUDITOR -> AUDITOR;
      case TENANT_ADMIN -> TENANT_ADMIN;
      case TENANT_VIEWER -> TENANT_VIEWER;
    };
  }

  /** As people write it, such as {@code fleet-admin}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
