package io.gatehouse.control.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.auth.Permissions.Role;
import io.gatehouse.proto.v1.DpuServiceGrpc;
import io.gatehouse.proto.v1.FleetServiceGrpc;
import io.gatehouse.proto.v1.NetworkServiceGrpc;
import io.gatehouse.proto.v1.PortServiceGrpc;
import io.gatehouse.proto.v1.SyncServiceGrpc;
import io.gatehouse.proto.v1.TenantServiceGrpc;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import io.grpc.health.v1.HealthGrpc;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class PermissionsTest {
  private static final List<ServiceDescriptor> SERVED =
      List.of(
          TenantServiceGrpc.getServiceDescriptor(),
          NetworkServiceGrpc.getServiceDescriptor(),
          PortServiceGrpc.getServiceDescriptor(),
          DpuServiceGrpc.getServiceDescriptor(),
          FleetServiceGrpc.getServiceDescriptor(),
          SyncServiceGrpc.getServiceDescriptor(),
          HealthGrpc.getServiceDescriptor());

  static Stream<String> served() {
    return SERVED.stream()
        .flatMap(service -> service.getMethods().stream())
        .map(MethodDescriptor::getFullMethodName);
  }

  @ParameterizedTest
  @MethodSource("served")
  void everyRpcHasARow(String method) {
    assertThat(Permissions.of(method)).as("a row for %s in Permissions", method).isPresent();
  }

  @Test
  void onlyAgentsSyncAndTheyDoNothingElse() {
    assertThat(served().filter(method -> Permissions.of(method).orElseThrow() == Role.DPU))
        .containsExactly("gatehouse.v1.SyncService/Sync");
    assertThat(served().filter(method -> Permissions.of(method).orElseThrow() == Role.ANY))
        .allMatch(method -> method.startsWith("grpc.health.v1.Health/"));
  }

  @Test
  void whatHasNoRowNobodyMayCall() {
    assertThat(Permissions.of("gatehouse.v1.AgentService/ListFlows")).isEmpty();
    assertThat(Permissions.of("gatehouse.v1.TenantService/createTenant")).isEmpty();
    assertThat(Permissions.of("")).isEmpty();
  }
}
