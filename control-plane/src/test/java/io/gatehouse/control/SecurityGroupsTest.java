package io.gatehouse.control;

import static io.gatehouse.control.testing.TestControlPlane.createDpu;
import static io.gatehouse.control.testing.TestControlPlane.createPort;
import static io.gatehouse.control.testing.TestControlPlane.createTenant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.FieldMask;
import com.google.rpc.BadRequest;
import io.gatehouse.control.testing.TestControlPlane;
import io.gatehouse.control.testing.TestPki;
import io.gatehouse.proto.v1.CreateSecurityGroupRequest;
import io.gatehouse.proto.v1.DeleteSecurityGroupRequest;
import io.gatehouse.proto.v1.GetPortRequest;
import io.gatehouse.proto.v1.GetSecurityGroupRequest;
import io.gatehouse.proto.v1.HostConfiguration;
import io.gatehouse.proto.v1.HostRoute;
import io.gatehouse.proto.v1.ListSecurityGroupsRequest;
import io.gatehouse.proto.v1.Network;
import io.gatehouse.proto.v1.NetworkServiceGrpc;
import io.gatehouse.proto.v1.Port;
import io.gatehouse.proto.v1.PortServiceGrpc;
import io.gatehouse.proto.v1.RateLimit;
import io.gatehouse.proto.v1.RateLimits;
import io.gatehouse.proto.v1.RuleDirection;
import io.gatehouse.proto.v1.SecurityGroup;
import io.gatehouse.proto.v1.SecurityGroupServiceGrpc;
import io.gatehouse.proto.v1.SecurityGroupServiceGrpc.SecurityGroupServiceBlockingStub;
import io.gatehouse.proto.v1.SecurityRule;
import io.gatehouse.proto.v1.UpdateNetworkRequest;
import io.gatehouse.proto.v1.UpdatePortRequest;
import io.gatehouse.proto.v1.UpdateSecurityGroupRequest;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Security groups, and what bounds ports, as a caller sees them. */
class SecurityGroupsTest {
  private static final String WEB = "tenants/acme/securityGroups/web";
  private static final String PORT = "tenants/acme/networks/blue/ports/p";

  @TempDir private Path directory = Path.of("");
  private TestControlPlane controlPlane;
  private ManagedChannel admin;
  private SecurityGroupServiceBlockingStub groups;

  @BeforeEach
  void start() throws Exception {
    TestPki pki = new TestPki(directory);
    controlPlane =
        TestControlPlane.start("jdbc:sqlite:" + directory.resolve("journal.db"), pki.server());
    admin = controlPlane.channel(pki.operator("admin"));
    groups = SecurityGroupServiceGrpc.newBlockingStub(admin);
    createTenant(admin, "acme");
    createDpu(admin, "d1", "172.31.0.1");
  }

  @AfterEach
  void stop() {
    controlPlane.close();
  }

  @Test
  void aGroupIsMadeGivenToAPortChangedAndRemoved() {
    SecurityGroup made = create(tcp(443).build());
    assertThat(made.getEtag()).isNotEmpty();
    createPort(admin, "acme", "p", "d1");
    Port port = Port.newBuilder().setName(PORT).addSecurityGroups(WEB).build();
    assertThat(update(port, "security_groups").getSecurityGroupsList()).containsExactly(WEB);
    SecurityGroup read = get();
    assertThat(read.getPortCount()).isEqualTo(1);
    assertThat(read.getRulesList()).containsExactly(tcp(443).setPortMax(443).build());
    assertThat(
            groups
                .listSecurityGroups(
                    ListSecurityGroupsRequest.newBuilder().setParent("tenants/-").build())
                .getSecurityGroupsList())
        .containsExactly(read);
    UpdateSecurityGroupRequest emptied =
        UpdateSecurityGroupRequest.newBuilder()
            .setSecurityGroup(SecurityGroup.newBuilder().setName(WEB).setEtag(read.getEtag()))
            .setUpdateMask(FieldMask.newBuilder().addPaths("rules"))
            .build();
    assertThat(groups.updateSecurityGroup(emptied).getSecurityGroup().getRulesList()).isEmpty();
    update(port.toBuilder().clearSecurityGroups().build(), "security_groups");
    groups.deleteSecurityGroup(DeleteSecurityGroupRequest.newBuilder().setName(WEB).build());
    assertThat(catchThrowableOfType(StatusRuntimeException.class, this::get)).isNotNull();
  }

  @Test
  void aRepeatedRequestMakesOneGroup() {
    CreateSecurityGroupRequest request =
        CreateSecurityGroupRequest.newBuilder()
            .setSecurityGroup(SecurityGroup.newBuilder().setName(WEB))
            .setRequestId("4f0a5d1e-3c3e-4d57-9a25-0d1f2b9f2f11")
            .build();
    assertThat(groups.createSecurityGroup(request)).isEqualTo(groups.createSecurityGroup(request));
  }

  @Test
  void complaintsNameThePathOfTheField() {
    complaint(
        "security_group.rules[3].port_max",
        () ->
            create(
                tcp(1).build(),
                tcp(2).build(),
                tcp(3).build(),
                tcp(80).setPortMax(70_000).build()));
    complaint(
        "security_group.rules[0].remote_cidr",
        () -> create(tcp(1).setRemoteCidr("10.0.0.1/24").build()));
    complaint(
        "security_group.rules[0].direction",
        () -> create(SecurityRule.newBuilder().setProtocol("tcp").build()));
    createPort(admin, "acme", "p", "d1");
    RateLimits limits =
        RateLimits.newBuilder().setEgress(RateLimit.newBuilder().setMegabitsPerSecond(-1)).build();
    complaint(
        "port.rate_limits.egress.megabits_per_second",
        () -> update(Port.newBuilder().setName(PORT).setRateLimits(limits).build(), "rate_limits"));
    HostRoute.Builder route = HostRoute.newBuilder().setDestination("0.0.0.0/0");
    complaint(
        "network.host_configuration.routes[0].next_hop",
        () -> tell(HostConfiguration.newBuilder().addRoutes(route.setNextHop("10.1")).build()));
    complaint(
        "network.host_configuration.lease_seconds",
        () -> tell(HostConfiguration.newBuilder().setLeaseSeconds(1).build()));
  }

  @Test
  void whatBoundsAPortIsReadBack() {
    createPort(admin, "acme", "p", "d1");
    RateLimits limits =
        RateLimits.newBuilder()
            .setEgress(RateLimit.newBuilder().setMegabitsPerSecond(100))
            .setIngress(RateLimit.getDefaultInstance())
            .setConnections(5)
            .build();
    update(Port.newBuilder().setName(PORT).setRateLimits(limits).build(), "rate_limits");
    assertThat(
            PortServiceGrpc.newBlockingStub(admin)
                .getPort(GetPortRequest.newBuilder().setName(PORT).build())
                .getPort()
                .getRateLimits())
        .isEqualTo(limits);
  }

  private void tell(HostConfiguration hosts) {
    NetworkServiceGrpc.newBlockingStub(admin)
        .updateNetwork(
            UpdateNetworkRequest.newBuilder()
                .setNetwork(
                    Network.newBuilder()
                        .setName("tenants/acme/networks/blue")
                        .setHostConfiguration(hosts))
                .setUpdateMask(FieldMask.newBuilder().addPaths("host_configuration"))
                .build());
  }

  private Port update(Port port, String field) {
    return PortServiceGrpc.newBlockingStub(admin)
        .updatePort(
            UpdatePortRequest.newBuilder()
                .setPort(port)
                .setUpdateMask(FieldMask.newBuilder().addPaths(field))
                .build())
        .getPort();
  }

  private SecurityGroup create(SecurityRule... rules) {
    return groups
        .createSecurityGroup(
            CreateSecurityGroupRequest.newBuilder()
                .setSecurityGroup(
                    SecurityGroup.newBuilder().setName(WEB).addAllRules(List.of(rules)))
                .build())
        .getSecurityGroup();
  }

  private SecurityGroup get() {
    return groups
        .getSecurityGroup(GetSecurityGroupRequest.newBuilder().setName(WEB).build())
        .getSecurityGroup();
  }

  private static SecurityRule.Builder tcp(int port) {
    return SecurityRule.newBuilder()
        .setDirection(RuleDirection.RULE_DIRECTION_INGRESS)
        .setProtocol("tcp")
        .setPortMin(port);
  }

  private static void complaint(String field, ThrowingCallable call) {
    StatusRuntimeException refused = catchThrowableOfType(StatusRuntimeException.class, call);
    com.google.rpc.Status status = StatusProto.fromThrowable(refused);
    assertThat(status.getDetailsList())
        .as("%s", refused)
        .hasSize(1)
        .allSatisfy(
            detail ->
                assertThat(detail.unpack(BadRequest.class).getFieldViolations(0).getField())
                    .isEqualTo(field));
  }
}
