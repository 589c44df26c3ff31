package io.gatehouse.control.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.DynamicMessage;
import io.gatehouse.control.testing.AnyCall;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.proto.v1.AgentProto;
import io.gatehouse.proto.v1.AgentServiceGrpc;
import io.gatehouse.proto.v1.AuditProto;
import io.gatehouse.proto.v1.AuditServiceGrpc;
import io.gatehouse.proto.v1.CertificateServiceGrpc;
import io.gatehouse.proto.v1.DpuProto;
import io.gatehouse.proto.v1.DpuServiceGrpc;
import io.gatehouse.proto.v1.EnrollmentServiceGrpc;
import io.gatehouse.proto.v1.FleetProto;
import io.gatehouse.proto.v1.FleetServiceGrpc;
import io.gatehouse.proto.v1.IdentityProto;
import io.gatehouse.proto.v1.IdentityServiceGrpc;
import io.gatehouse.proto.v1.IsolationProto;
import io.gatehouse.proto.v1.IsolationServiceGrpc;
import io.gatehouse.proto.v1.MtuProto;
import io.gatehouse.proto.v1.MtuServiceGrpc;
import io.gatehouse.proto.v1.NetworkProto;
import io.gatehouse.proto.v1.NetworkServiceGrpc;
import io.gatehouse.proto.v1.OperatorProto;
import io.gatehouse.proto.v1.OperatorServiceGrpc;
import io.gatehouse.proto.v1.PathProto;
import io.gatehouse.proto.v1.PathServiceGrpc;
import io.gatehouse.proto.v1.PeeringProto;
import io.gatehouse.proto.v1.PeeringServiceGrpc;
import io.gatehouse.proto.v1.PortProto;
import io.gatehouse.proto.v1.PortServiceGrpc;
import io.gatehouse.proto.v1.QuarantineProto;
import io.gatehouse.proto.v1.QuarantineServiceGrpc;
import io.gatehouse.proto.v1.SecurityGroupProto;
import io.gatehouse.proto.v1.SecurityGroupServiceGrpc;
import io.gatehouse.proto.v1.SyncProto;
import io.gatehouse.proto.v1.SyncServiceGrpc;
import io.gatehouse.proto.v1.TenantProto;
import io.gatehouse.proto.v1.TenantServiceGrpc;
import io.gatehouse.runtime.CallBudget;
import io.grpc.BindableService;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.health.v1.HealthProto;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Calls every RPC in every role, behind the real interceptor, and expects what the table of
 * docs/security.md says. The services behind it do nothing: who reaches one is told UNIMPLEMENTED.
 */
class RoleWalkTest {
  private static final List<FileDescriptor> CONTRACT =
      List.of(
          AgentProto.getDescriptor(),
          AuditProto.getDescriptor(),
          DpuProto.getDescriptor(),
          FleetProto.getDescriptor(),
          HealthProto.getDescriptor(),
          IdentityProto.getDescriptor(),
          IsolationProto.getDescriptor(),
          MtuProto.getDescriptor(),
          NetworkProto.getDescriptor(),
          OperatorProto.getDescriptor(),
          PathProto.getDescriptor(),
          PeeringProto.getDescriptor(),
          PortProto.getDescriptor(),
          QuarantineProto.getDescriptor(),
          SecurityGroupProto.getDescriptor(),
          SyncProto.getDescriptor(),
          TenantProto.getDescriptor());

  private static final List<BindableService> SERVICES =
      List.of(
          new AgentServiceGrpc.AgentServiceImplBase() {},
          new AuditServiceGrpc.AuditServiceImplBase() {},
          new CertificateServiceGrpc.CertificateServiceImplBase() {},
          new DpuServiceGrpc.DpuServiceImplBase() {},
          new EnrollmentServiceGrpc.EnrollmentServiceImplBase() {},
          new FleetServiceGrpc.FleetServiceImplBase() {},
          new HealthGrpc.HealthImplBase() {},
          new IdentityServiceGrpc.IdentityServiceImplBase() {},
          new IsolationServiceGrpc.IsolationServiceImplBase() {},
          new MtuServiceGrpc.MtuServiceImplBase() {},
          new NetworkServiceGrpc.NetworkServiceImplBase() {},
          new OperatorServiceGrpc.OperatorServiceImplBase() {},
          new PathServiceGrpc.PathServiceImplBase() {},
          new PeeringServiceGrpc.PeeringServiceImplBase() {},
          new PortServiceGrpc.PortServiceImplBase() {},
          new QuarantineServiceGrpc.QuarantineServiceImplBase() {},
          new SecurityGroupServiceGrpc.SecurityGroupServiceImplBase() {},
          new SyncServiceGrpc.SyncServiceImplBase() {},
          new TenantServiceGrpc.TenantServiceImplBase() {});

  /** In the order of the document's columns. */
  private static final List<Role> ROLES = List.of(Role.values());

  private Server server;
  private ManagedChannel channel;

  @BeforeEach
  void start() throws IOException {
    Callers callers = new Callers("gatehouse.test", RoleWalkTest::caller, name -> Optional.empty());
    CallBudget budget = new CallBudget(1, 1_000_000, 100, () -> 0);
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .intercept(new PeerInterceptor(callers, budget, RefusalLog.NONE));
    SERVICES.forEach(builder::addService);
    server = builder.build().start();
    channel = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort()).usePlaintext().build();
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    server.shutdownNow();
  }

  @Test
  void everyRpcInEveryRoleIsAsTheDocumentSays() throws IOException {
    Map<String, String[]> table = documented();
    int called = 0;
    for (FileDescriptor file : CONTRACT) {
      for (MethodDescriptor method :
          file.getServices().stream().flatMap(s -> s.getMethods().stream()).toList()) {
        String name = method.getService().getFullName() + "/" + method.getName();
        String[] row = table.getOrDefault(name, new String[0]);
        assertThat(row).as("a row of the document for %s", name).isNotEmpty();
        for (Role role : Role.values()) {
          boolean allowed = row[ROLES.indexOf(role) + 2].strip().equals("yes");
          assertThat(code(role, method))
              .as("%s as %s", name, role.word())
              .isEqualTo(allowed ? Status.Code.UNIMPLEMENTED : refusal(role));
          called++;
        }
      }
    }
    assertThat(called).isEqualTo(table.size() * Role.values().length);
  }

  private static Status.Code refusal(Role role) {
    return role == Role.ANYONE ? Status.Code.UNAUTHENTICATED : Status.Code.PERMISSION_DENIED;
  }

  private Status.Code code(Role role, MethodDescriptor method) {
    Channel as = channel;
    if (role != Role.ANYONE) {
      Metadata headers = new Metadata();
      headers.put(
          Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
          "Bearer " + role.word());
      as =
          ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    }
    Channel caller = as;
    return AnyCall.status(
            () ->
                AnyCall.first(
                    caller, method, DynamicMessage.getDefaultInstance(method.getInputType())))
        .getCode();
  }

  private static Caller caller(String word) {
    for (Role role : Role.values()) {
      if (role.word().equals(word)) {
        boolean ofTenant = role == Role.TENANT_ADMIN || role == Role.TENANT_VIEWER;
        return new Caller(
            role == Role.DPU ? "dpus/d1" : "oidc/test/" + word,
            role,
            ofTenant ? Optional.of(new TenantName("acme")) : Optional.empty());
      }
    }
    throw new IllegalArgumentException(word);
  }

  private static Map<String, String[]> documented() throws IOException {
    Map<String, String[]> rows = new HashMap<>();
    for (String line : Files.readAllLines(Path.of("../docs/security.md"))) {
      String[] cells = line.split("\\|", -1);
      if (line.startsWith("| `") && cells.length == Role.values().length + 3) {
        rows.put(cells[1].strip().replace("`", ""), cells);
      }
    }
    return rows;
  }
}
