package io.gatehouse.control.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.proto.v1.AgentServiceGrpc;
import io.gatehouse.proto.v1.AuditServiceGrpc;
import io.gatehouse.proto.v1.CertificateServiceGrpc;
import io.gatehouse.proto.v1.DpuServiceGrpc;
import io.gatehouse.proto.v1.EnrollmentServiceGrpc;
import io.gatehouse.proto.v1.FleetServiceGrpc;
import io.gatehouse.proto.v1.IdentityServiceGrpc;
import io.gatehouse.proto.v1.IsolationServiceGrpc;
import io.gatehouse.proto.v1.MtuServiceGrpc;
import io.gatehouse.proto.v1.NetworkServiceGrpc;
import io.gatehouse.proto.v1.OperatorServiceGrpc;
import io.gatehouse.proto.v1.PathServiceGrpc;
import io.gatehouse.proto.v1.PeeringServiceGrpc;
import io.gatehouse.proto.v1.PortServiceGrpc;
import io.gatehouse.proto.v1.QuarantineServiceGrpc;
import io.gatehouse.proto.v1.SecurityGroupServiceGrpc;
import io.gatehouse.proto.v1.SyncServiceGrpc;
import io.gatehouse.proto.v1.TenantServiceGrpc;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import io.grpc.health.v1.HealthGrpc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class PermissionsTest {
  private static final Path CONTRACT = Path.of("../proto/src/main/proto/gatehouse/v1");
  private static final Path DOCUMENT = Path.of("../docs/security.md");

  private static final List<ServiceDescriptor> SERVICES =
      List.of(
          AgentServiceGrpc.getServiceDescriptor(),
          AuditServiceGrpc.getServiceDescriptor(),
          CertificateServiceGrpc.getServiceDescriptor(),
          DpuServiceGrpc.getServiceDescriptor(),
          EnrollmentServiceGrpc.getServiceDescriptor(),
          FleetServiceGrpc.getServiceDescriptor(),
          IdentityServiceGrpc.getServiceDescriptor(),
          IsolationServiceGrpc.getServiceDescriptor(),
          MtuServiceGrpc.getServiceDescriptor(),
          PathServiceGrpc.getServiceDescriptor(),
          NetworkServiceGrpc.getServiceDescriptor(),
          OperatorServiceGrpc.getServiceDescriptor(),
          PeeringServiceGrpc.getServiceDescriptor(),
          PortServiceGrpc.getServiceDescriptor(),
          QuarantineServiceGrpc.getServiceDescriptor(),
          SecurityGroupServiceGrpc.getServiceDescriptor(),
          SyncServiceGrpc.getServiceDescriptor(),
          TenantServiceGrpc.getServiceDescriptor(),
          HealthGrpc.getServiceDescriptor());

  static Stream<String> rpcs() {
    return SERVICES.stream()
        .flatMap(service -> service.getMethods().stream())
        .map(MethodDescriptor::getFullMethodName);
  }

  @ParameterizedTest
  @MethodSource("rpcs")
  void everyRpcHasARow(String method) {
    assertThat(Permissions.rows()).as("a row in Permissions").containsKey(method);
  }

  @Test
  void theWalkLeavesNoServiceOut() throws IOException {
    Set<String> declared;
    try (Stream<Path> files = Files.list(CONTRACT)) {
      declared =
          files
              .flatMap(PermissionsTest::lines)
              .filter(line -> line.startsWith("service "))
              .map(line -> "gatehouse.v1." + line.split(" ", -1)[1])
              .collect(Collectors.toSet());
    }
    assertThat(SERVICES)
        .extracting(ServiceDescriptor::getName)
        .containsAll(declared)
        .hasSize(declared.size() + 1);
  }

  @Test
  void noRowIsOfAnRpcThatIsNotThere() {
    assertThat(rpcs()).containsAll(Permissions.rows().keySet());
  }

  @Test
  void theDocumentHasTheSameTable() {
    TreeMap<String, String> documented = new TreeMap<>();
    lines(DOCUMENT)
        .filter(line -> line.startsWith("| `"))
        .map(line -> line.split("\\|", -1))
        .filter(cells -> cells.length == Role.values().length + 3)
        .forEach(
            cells ->
                documented.put(
                    cells[1].strip().replace("`", ""),
                    String.join("|", Arrays.copyOfRange(cells, 2, cells.length - 1))
                        .replace(" ", "")));
    TreeMap<String, String> table = new TreeMap<>();
    Permissions.rows()
        .forEach(
            (method, roles) ->
                table.put(
                    method,
                    Arrays.stream(Role.values())
                        .map(role -> roles.contains(role) ? "yes" : "")
                        .collect(Collectors.joining("|"))));
    assertThat(documented).isEqualTo(table);
  }

  @Test
  void onlyAgentsSync() {
    assertThat(rpcs().filter(method -> only(method, Role.DPU)))
        .containsExactly("gatehouse.v1.SyncService/Sync");
  }

  @Test
  void onlyTheEnrolmentIsOpenToAnyone() {
    assertThat(rpcs().filter(method -> Permissions.allows(Role.ANYONE, method)))
        .allMatch(method -> method.startsWith("gatehouse.v1.EnrollmentService/"));
  }

  @Test
  void whoMayNotMakeAnOperatorCannotRaiseItself() {
    assertThat(rpcs().filter(m -> m.contains("OperatorService/") && !m.contains("/Get")))
        .filteredOn(method -> !method.endsWith("ListOperators"))
        .allMatch(method -> only(method, Role.FLEET_ADMIN));
  }

  @Test
  void viewersAndAuditorsChangeNothing() {
    assertThat(
            rpcs().filter(m -> m.matches(".*/(Create|Update|Delete|Revoke|Rotate|Set|Release).*")))
        .noneMatch(method -> Permissions.allows(Role.AUDITOR, method))
        .noneMatch(method -> Permissions.allows(Role.TENANT_VIEWER, method));
  }

  @Test
  void whatHasNoRowNobodyMayCall() {
    for (Role role : Role.values()) {
      assertThat(Permissions.allows(role, "gatehouse.v1.AgentService/ListFlows")).isFalse();
      assertThat(Permissions.allows(role, "gatehouse.v1.TenantService/createTenant")).isFalse();
      assertThat(Permissions.allows(role, "")).isFalse();
    }
  }

  private static boolean only(String method, Role role) {
    return Permissions.rows().getOrDefault(method, Set.of()).equals(Set.of(role));
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      throw new AssertionError(file + " cannot be read", e);
    }
  }
}
