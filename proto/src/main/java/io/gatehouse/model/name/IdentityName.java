package io.gatehouse.model.name;

import io.gatehouse.model.net.InvalidValueException;

/**
 * Who can have a certificate: {@code dpus/{dpu}}, {@code operators/{operator}} or {@code
 * tenants/{tenant}/operators/{operator}}.
 *
 * @param kind what it is
 * @param tenant id of the tenant; empty where there is none
 * @param id last part of the name
 */
public record IdentityName(Kind kind, String tenant, String id)
    implements Comparable<IdentityName> {
  /** Who there is. */
  public enum Kind {
    DPU,
    /** Of the fleet. */
    OPERATOR,
    TENANT_OPERATOR
  }

  public IdentityName {
    NameSyntax.checkId(id);
    if (kind == Kind.TENANT_OPERATOR) {
      NameSyntax.checkId(tenant);
    } else if (!tenant.isEmpty()) {
      throw new InvalidValueException("tenant", tenant, "is given for one of no tenant");
    }
  }

  public static IdentityName of(DpuName dpu) {
    return new IdentityName(Kind.DPU, "", dpu.dpu());
  }

  /** One of the fleet's operators. */
  public static IdentityName ofOperator(String operator) {
    return new IdentityName(Kind.OPERATOR, "", operator);
  }

  /** Reads a name of any of the three forms. */
  public static IdentityName parse(String name) {
    if (name.startsWith("dpus/")) {
      return of(DpuName.parse(name));
    }
    if (name.startsWith("operators/")) {
      return ofOperator(NameSyntax.split(name, "operators")[0]);
    }
    if (name.startsWith("tenants/")) {
      String[] ids = NameSyntax.split(name, "tenants", "operators");
      return new IdentityName(Kind.TENANT_OPERATOR, ids[0], ids[1]);
    }
    throw new InvalidValueException(
        "identity",
        name,
        "is none of dpus/{dpu}, operators/{operator}, tenants/{tenant}/operators/{operator}");
  }

  /** Whether it is a person or a program, and not a DPU. */
  public boolean isOperator() {
    return kind != Kind.DPU;
  }

  /** Path of the URI in its certificate (SPIFFE), such as {@code /dpu/dpu1}. */
  public String spiffePath() {
    return switch (kind) {
      case DPU -> "/dpu/" + id;
      case OPERATOR -> "/operator/" + id;
      case TENANT_OPERATOR -> "/tenant/" + tenant + "/" + id;
    };
  }

  @Override
  public int compareTo(IdentityName other) {
    return toString().compareTo(other.toString());
  }

  @Override
  public String toString() {
    return switch (kind) {
      case DPU -> "dpus/" + id;
      case OPERATOR -> "operators/" + id;
      case TENANT_OPERATOR -> "tenants/" + tenant + "/operators/" + id;
    };
  }
}
