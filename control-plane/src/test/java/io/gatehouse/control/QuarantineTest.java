package io.gatehouse.control;

import static io.gatehouse.control.testing.TestControlPlane.createDpu;
import static io.gatehouse.control.testing.TestControlPlane.createPort;
import static io.gatehouse.control.testing.TestControlPlane.createTenant;
import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.testing.AnyCall;
import io.gatehouse.control.testing.TestControlPlane;
import io.gatehouse.control.testing.TestPki;
import io.gatehouse.proto.v1.CreateOperatorRequest;
import io.gatehouse.proto.v1.DeletePortRequest;
import io.gatehouse.proto.v1.GetPortRequest;
import io.gatehouse.proto.v1.ListQuarantinesRequest;
import io.gatehouse.proto.v1.Operator;
import io.gatehouse.proto.v1.OperatorServiceGrpc;
import io.gatehouse.proto.v1.PortServiceGrpc;
import io.gatehouse.proto.v1.Quarantine;
import io.gatehouse.proto.v1.QuarantineServiceGrpc;
import io.gatehouse.proto.v1.ReleaseQuarantineRequest;
import io.gatehouse.proto.v1.Role;
import io.gatehouse.proto.v1.SetQuarantineRequest;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Quarantines over gRPC: the fleet's operators, a tenant's admin, and a restart. */
class QuarantineTest {
  private static final String PORT = "tenants/acme/networks/blue/ports/p";

  @TempDir private Path directory = Path.of("");
  private TestPki pki;
  private TestControlPlane controlPlane;
  private ManagedChannel admin;
  private ManagedChannel ann;

  @BeforeEach
  void start() throws Exception {
    pki = new TestPki(directory);
    restart();
    createTenant(admin, "acme");
    createTenant(admin, "globex");
    createDpu(admin, "d1", "172.31.0.1");
    createPort(admin, "acme", "p", "d1");
    OperatorServiceGrpc.newBlockingStub(admin)
        .createOperator(
            CreateOperatorRequest.newBuilder()
                .setOperator(
                    Operator.newBuilder()
                        .setName("tenants/acme/operators/ann")
                        .setRole(Role.ROLE_TENANT_ADMIN))
                .build());
  }

  @AfterEach
  void stop() {
    controlPlane.close();
  }

  @Test
  void itIsToldWithWhoAndWhyAndOutlivesARestart() throws Exception {
    Quarantine made = set(admin, "tenants/acme");
    assertThat(made.getSetBy()).isEqualTo("operators/admin");
    assertThat(made.getSetByFleet()).isTrue();
    assertThat(made.hasSetTime()).isTrue();
    controlPlane.close();
    restart();
    assertThat(list(admin, "")).containsExactly(made);
    assertThat(list(ann, "")).as("a tenant sees its own").containsExactly(made);
    assertThat(reason()).isEqualTo("odd scans");
    release(admin, "tenants/acme");
    assertThat(reason()).isEmpty();
    assertThat(list(admin, "")).isEmpty();
  }

  @Test
  void aTenantSeesNothingOfOthers() {
    set(admin, "tenants/globex");
    set(admin, "dpus/d1");
    assertThat(list(ann, "")).isEmpty();
    assertThat(list(ann, "tenants/-")).isEmpty();
    assertThat(list(admin, "tenants/-"))
        .extracting(Quarantine::getTarget)
        .containsExactly("tenants/globex");
    assertThat(reason()).as("why its port is cut off it may know").isEqualTo("odd scans");
  }

  @Test
  void aTenantsAdminCutsOffItsOwnPortAndNothingElse() {
    assertThat(set(ann, PORT).getSetByFleet()).isFalse();
    release(ann, PORT);
    assertThat(code(() -> set(ann, "tenants/acme"))).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(code(() -> set(ann, "dpus/d1"))).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(code(() -> set(ann, "tenants/globex"))).isEqualTo(Status.Code.NOT_FOUND);
  }

  @Test
  void aPortThatTheFleetHoldsIsNotFreedByMakingItAgain() {
    set(admin, PORT);
    assertThat(code(() -> release(ann, PORT))).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(code(() -> delete(ann))).isEqualTo(Status.Code.PERMISSION_DENIED);
    delete(admin);
    assertThat(list(admin, "")).isEmpty();
  }

  private void restart() throws Exception {
    controlPlane =
        TestControlPlane.start("jdbc:sqlite:" + directory.resolve("journal.db"), pki.server());
    admin = controlPlane.channel(pki.operator("admin"));
    ann =
        controlPlane.channel(
            pki.named("URI:spiffe://" + TestPki.TRUST_DOMAIN + "/tenant/acme/ann"));
  }

  private String reason() {
    return PortServiceGrpc.newBlockingStub(ann)
        .getPort(GetPortRequest.newBuilder().setName(PORT).build())
        .getPort()
        .getQuarantineReason();
  }

  private static Quarantine set(ManagedChannel as, String target) {
    return QuarantineServiceGrpc.newBlockingStub(as)
        .setQuarantine(
            SetQuarantineRequest.newBuilder()
                .setTarget(target)
                .setReason("odd scans")
                .addAllowedCidrs("10.0.0.9/32")
                .build())
        .getQuarantine();
  }

  private static void release(ManagedChannel as, String target) {
    assertThat(
            QuarantineServiceGrpc.newBlockingStub(as)
                .releaseQuarantine(ReleaseQuarantineRequest.newBuilder().setTarget(target).build())
                .getRevision())
        .isPositive();
  }

  private static void delete(ManagedChannel as) {
    assertThat(
            PortServiceGrpc.newBlockingStub(as)
                .deletePort(DeletePortRequest.newBuilder().setName(PORT).build())
                .getRevision())
        .isPositive();
  }

  private static List<Quarantine> list(ManagedChannel as, String parent) {
    return QuarantineServiceGrpc.newBlockingStub(as)
        .listQuarantines(ListQuarantinesRequest.newBuilder().setParent(parent).build())
        .getQuarantinesList();
  }

  private static Status.Code code(Runnable call) {
    return AnyCall.status(call).getCode();
  }
}
