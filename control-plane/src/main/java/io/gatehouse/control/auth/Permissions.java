package io.gatehouse.control.auth;

import static io.gatehouse.control.auth.Role.ANYONE;
import static io.gatehouse.control.auth.Role.AUDITOR;
import static io.gatehouse.control.auth.Role.DPU;
import static io.gatehouse.control.auth.Role.FLEET_ADMIN;
import static io.gatehouse.control.auth.Role.FLEET_OPERATOR;
import static io.gatehouse.control.auth.Role.TENANT_ADMIN;
import static io.gatehouse.control.auth.Role.TENANT_VIEWER;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which role may call which RPC: the whole of it. What is not here nobody may call. The same table
 * is printed in docs/security.md, and a test compares the two.
 */
public final class Permissions {
  private static final Set<Role> NOBODY = Set.of();
  private static final Set<Role> ADMIN = Set.of(FLEET_ADMIN);
  private static final Set<Role> ADMIN_AUDITOR = Set.of(FLEET_ADMIN, AUDITOR);
  private static final Set<Role> OPERATOR_READS =
      Set.of(FLEET_ADMIN, AUDITOR, TENANT_ADMIN, TENANT_VIEWER);
  private static final Set<Role> FLEET_CHANGES = Set.of(FLEET_ADMIN, FLEET_OPERATOR);
  private static final Set<Role> FLEET_READS = Set.of(FLEET_ADMIN, FLEET_OPERATOR, AUDITOR);
  private static final Set<Role> TENANT_CHANGES = Set.of(FLEET_ADMIN, FLEET_OPERATOR, TENANT_ADMIN);
  private static final Set<Role> ALL_READS =
      Set.of(FLEET_ADMIN, FLEET_OPERATOR, AUDITOR, TENANT_ADMIN, TENANT_VIEWER);
  private static final Set<Role> KNOWN =
      Set.of(FLEET_ADMIN, FLEET_OPERATOR, AUDITOR, TENANT_ADMIN, TENANT_VIEWER, DPU);
  private static final Set<Role> EVERYBODY =
      Set.of(FLEET_ADMIN, FLEET_OPERATOR, AUDITOR, TENANT_ADMIN, TENANT_VIEWER, DPU, ANYONE);

  private static final Map<String, Set<Role>> TABLE = table();

  private Permissions() {}

  /**
   * Whether a role may call an RPC, by its full name such as {@code gatehouse.v1.SyncService/Sync}.
   */
  public static boolean allows(Role role, String method) {
    return TABLE.getOrDefault(method, NOBODY).contains(role);
  }

  /** The rows, by RPC, in order. */
  static Map<String, Set<Role>> rows() {
    return TABLE;
  }

  private static Map<String, Set<Role>> table() {
    Map<String, Set<Role>> table = new TreeMap<>();
    resource(table, "Tenant", FLEET_CHANGES, ALL_READS);
    resource(table, "Network", TENANT_CHANGES, ALL_READS);
    resource(table, "Port", TENANT_CHANGES, ALL_READS);
    resource(table, "SecurityGroup", TENANT_CHANGES, ALL_READS);
    resource(table, "Peering", TENANT_CHANGES, ALL_READS);
    resource(table, "Dpu", FLEET_CHANGES, FLEET_READS);
    resource(table, "Operator", ADMIN, OPERATOR_READS);
    // Of a tenant and of a DPU only the fleet's: the decision looks at the target.
    allow(table, TENANT_CHANGES, "QuarantineService", "SetQuarantine", "ReleaseQuarantine");
    allow(table, ALL_READS, "QuarantineService", "ListQuarantines");
    // Flows name the addresses of DPUs, which are no tenant's business.
    allow(table, FLEET_READS, "PortService", "ExplainPort");
    allow(table, ALL_READS, "FleetService", "GetFleetStatus", "WaitForRevision", "WatchChanges");
    // Of a proof a tenant sees what concerns its own ports.
    allow(table, ALL_READS, "IsolationService", "VerifyIsolation");
    allow(table, FLEET_READS, "IsolationService", "GetIsolationProof", "ListIsolationProofs");
    // A tenant is told of its own networks, without what DPUs report.
    allow(table, ALL_READS, "MtuService", "ExplainMtu");
    allow(table, FLEET_READS, "MtuService", "ListDpuMtus");
    // Paths lead between DPUs, which are no tenant's business.
    allow(table, FLEET_READS, "PathService", "ListPaths", "ProbePath");
    allow(table, Set.of(DPU), "SyncService", "Sync");
    allow(table, ADMIN_AUDITOR, "AuditService", "ListAuditEvents", "VerifyAudit", "ExportAudit");
    allow(table, EVERYBODY, "EnrollmentService", "Enroll", "RecoverCertificate");
    allow(table, KNOWN, "CertificateService", "RenewCertificate", "GetTrustBundle");
    allow(table, ADMIN, "IdentityService", "CreateEnrollmentToken", "DeleteEnrollmentToken");
    allow(table, ADMIN, "IdentityService", "RevokeIdentity");
    allow(table, ADMIN, "IdentityService", "RotateIssuingAuthority", "RevokeIssuingAuthority");
    allow(table, ADMIN_AUDITOR, "IdentityService", "ListEnrollmentTokens", "ListCertificates");
    allow(table, ADMIN_AUDITOR, "IdentityService", "ListAuthorities");
    // The agent serves it on its own machine; here nobody does.
    allow(table, NOBODY, "AgentService", "GetAgentStatus", "ListFlows", "ExplainLocalPort");
    allow(table, NOBODY, "AgentService", "ProveIsolation");
    for (String method : new String[] {"Check", "Watch"}) {
      table.put("grpc.health.v1.Health/" + method, KNOWN);
    }
    return table;
  }

  private static void resource(
      Map<String, Set<Role>> table, String kind, Set<Role> changes, Set<Role> reads) {
    String service = kind + "Service";
    allow(table, changes, service, "Create" + kind, "Update" + kind, "Delete" + kind);
    allow(table, reads, service, "Get" + kind, "List" + kind + "s");
  }

  private static void allow(
      Map<String, Set<Role>> table, Set<Role> roles, String service, String... methods) {
    for (String method : methods) {
      table.put("gatehouse.v1." + service + "/" + method, roles);
    }
  }
}
