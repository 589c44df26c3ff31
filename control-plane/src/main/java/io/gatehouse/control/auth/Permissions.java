package io.gatehouse.control.auth;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Which role may call which RPC: the whole of it. What is not here nobody may call. */
public final class Permissions {
  /** Roles that a certificate gives. */
  public enum Role {
    /** A DPU's agent. */
    DPU,
    /** A person or a program that runs the fleet. */
    OPERATOR,
    /** Any of them. */
    ANY
  }

  private static final Map<String, Role> TABLE = table();

  private Permissions() {}

  /** Who may call an RPC, by its full name such as {@code gatehouse.v1.SyncService/Sync}. */
  public static Optional<Role> of(String method) {
    return Optional.ofNullable(TABLE.get(method));
  }

  private static Map<String, Role> table() {
    Map<String, Role> table = new TreeMap<>();
    allow(table, Role.DPU, "gatehouse.v1.SyncService", "Sync");
    allow(table, Role.OPERATOR, "gatehouse.v1.TenantService", resource("Tenant"));
    allow(table, Role.OPERATOR, "gatehouse.v1.NetworkService", resource("Network"));
    allow(table, Role.OPERATOR, "gatehouse.v1.PortService", resource("Port"));
    allow(table, Role.OPERATOR, "gatehouse.v1.PortService", "ExplainPort");
    allow(table, Role.OPERATOR, "gatehouse.v1.DpuService", resource("Dpu"));
    allow(table, Role.OPERATOR, "gatehouse.v1.FleetService", "GetFleetStatus");
    allow(table, Role.OPERATOR, "gatehouse.v1.FleetService", "WaitForRevision");
    allow(table, Role.OPERATOR, "gatehouse.v1.FleetService", "WatchChanges");
    allow(table, Role.ANY, "gatehouse.v1.CertificateService", "RenewCertificate", "GetTrustBundle");
    allow(
        table,
        Role.OPERATOR,
        "gatehouse.v1.IdentityService",
        "CreateEnrollmentToken",
        "ListEnrollmentTokens",
        "DeleteEnrollmentToken",
        "ListCertificates",
        "RevokeIdentity",
        "RotateIssuingAuthority",
        "RevokeIssuingAuthority",
        "ListAuthorities");
    allow(table, Role.ANY, "grpc.health.v1.Health", "Check", "List", "Watch");
    return Map.copyOf(table);
  }

  private static String[] resource(String name) {
    return new String[] {
      "Create" + name, "Get" + name, "List" + name + "s", "Update" + name, "Delete" + name
    };
  }

  private static void allow(Map<String, Role> table, Role role, String service, String... methods) {
    for (String method : methods) {
      table.put(service + "/" + method, role);
    }
  }
}
