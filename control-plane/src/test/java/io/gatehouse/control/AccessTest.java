package io.gatehouse.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.util.Durations;
import io.gatehouse.control.cli.GatehouseCli;
import io.gatehouse.control.cli.session.Terminal;
import io.gatehouse.control.testing.AnyCall;
import io.gatehouse.control.testing.Eventually;
import io.gatehouse.control.testing.TestControlPlane;
import io.gatehouse.control.testing.TestPki;
import io.gatehouse.proto.v1.AuditChain;
import io.gatehouse.proto.v1.AuditEvent;
import io.gatehouse.proto.v1.AuditServiceGrpc;
import io.gatehouse.proto.v1.CreateOperatorRequest;
import io.gatehouse.proto.v1.CreateTenantRequest;
import io.gatehouse.proto.v1.DeleteOperatorRequest;
import io.gatehouse.proto.v1.FleetServiceGrpc;
import io.gatehouse.proto.v1.ListAuditEventsRequest;
import io.gatehouse.proto.v1.ListTenantsRequest;
import io.gatehouse.proto.v1.Operator;
import io.gatehouse.proto.v1.OperatorServiceGrpc;
import io.gatehouse.proto.v1.Role;
import io.gatehouse.proto.v1.Tenant;
import io.gatehouse.proto.v1.TenantServiceGrpc;
import io.gatehouse.proto.v1.UpdateOperatorRequest;
import io.gatehouse.proto.v1.VerifyAuditRequest;
import io.gatehouse.proto.v1.WaitForRevisionRequest;
import io.gatehouse.proto.v1.WaitForRevisionResponse;
import io.gatehouse.proto.v1.WatchChangesRequest;
import io.gatehouse.proto.v1.WatchChangesResponse;
import io.gatehouse.runtime.tls.TlsPaths;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who gets in, and what is on record of those who do not. */
class AccessTest {
  private static final String LIST_TENANTS = "gatehouse.v1.TenantService/ListTenants";

  @TempDir private Path directory = Path.of("");
  private TestPki pki;
  private TestControlPlane controlPlane;
  private ManagedChannel admin;

  /** What a run of the command printed, and its exit code. */
  private record Run(int code, String out) {}

  @BeforeEach
  void start() throws Exception {
    pki = new TestPki(directory);
    controlPlane = TestControlPlane.start(url(), pki.server());
    admin = controlPlane.channel(pki.operator("admin"));
  }

  @AfterEach
  void stop() {
    controlPlane.close();
  }

  @Test
  void aRoleCountsFromTheNextCallOn() {
    createOperator("operators/ann", Role.ROLE_AUDITOR);
    ManagedChannel ann = controlPlane.channel(pki.operator("ann"));
    assertThat(list(ann)).isEqualTo(Status.Code.OK);
    assertThat(create(ann, "acme")).isEqualTo(Status.Code.PERMISSION_DENIED);
    update("operators/ann", Role.ROLE_FLEET_OPERATOR);
    assertThat(create(ann, "acme")).isEqualTo(Status.Code.OK);
    delete("operators/ann");
    assertThat(list(ann)).isEqualTo(Status.Code.PERMISSION_DENIED);
  }

  @Test
  void aWatchEndsWithTheRight() {
    createOperator("operators/ann", Role.ROLE_AUDITOR);
    Iterator<WatchChangesResponse> changes =
        FleetServiceGrpc.newBlockingStub(controlPlane.channel(pki.operator("ann")))
            .watchChanges(WatchChangesRequest.newBuilder().setAfterRevision(1).build());
    assertThat(changes.next().getChanges(0).getName()).isEqualTo("operators/ann");
    delete("operators/ann");
    assertThatThrownBy(changes::next)
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED));
  }

  @Test
  void aWaitEndsWithTheRight() {
    createOperator("operators/ann", Role.ROLE_AUDITOR);
    var ann = FleetServiceGrpc.newFutureStub(controlPlane.channel(pki.operator("ann")));
    Deque<ListenableFuture<WaitForRevisionResponse>> waits = new ArrayDeque<>();
    waits.add(waitForLater(ann));
    Eventually.holds(
        "a call that waits ends with the right",
        () -> {
          delete("operators/ann");
          createOperator("operators/ann", Role.ROLE_AUDITOR);
          Optional<String> end = failure(waits.getLast());
          if (end.stream().anyMatch(reason -> reason.contains("is no operator here"))) {
            // It came in between: before it could wait.
            waits.add(waitForLater(ann));
            return false;
          }
          return end.stream().anyMatch(r -> r.contains("operators/ann is no operator any more"));
        });
  }

  private static ListenableFuture<WaitForRevisionResponse> waitForLater(
      FleetServiceGrpc.FleetServiceFutureStub caller) {
    return caller.waitForRevision(
        WaitForRevisionRequest.newBuilder()
            .setRevision(1_000_000)
            .setTimeout(Durations.fromMinutes(10))
            .build());
  }

  /** Why a call has failed; empty while it is under way. */
  private static Optional<String> failure(ListenableFuture<?> call) {
    if (!call.isDone()) {
      return Optional.empty();
    }
    return Optional.of(catchThrowable(call::get).toString());
  }

  @Test
  void whoIsNoOperatorMayNothing() {
    assertThat(list(controlPlane.channel(pki.operator("nobody"))))
        .isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(list(controlPlane.channel(member("acme", "nobody"))))
        .isEqualTo(Status.Code.PERMISSION_DENIED);
  }

  @Test
  void aFleetNameAndATenantNameAreNotTheSame() {
    create(admin, "acme");
    createOperator("tenants/acme/operators/ann", Role.ROLE_TENANT_VIEWER);
    assertThat(list(controlPlane.channel(pki.operator("ann"))))
        .isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(list(controlPlane.channel(member("acme", "ann")))).isEqualTo(Status.Code.OK);
    assertThat(list(controlPlane.channel(member("beta", "ann"))))
        .isEqualTo(Status.Code.PERMISSION_DENIED);
  }

  @Test
  void aCertificateAndATokenTogetherAreRefused() {
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer x.y.z");
    Channel both =
        ClientInterceptors.intercept(admin, MetadataUtils.newAttachHeadersInterceptor(headers));
    assertThat(list(both)).isEqualTo(Status.Code.UNAUTHENTICATED);
  }

  @Test
  void refusedCallsAreOnRecordOnceAndCounted() {
    ManagedChannel stranger = controlPlane.channel(pki.operator("nobody"));
    for (int i = 0; i < 50; i++) {
      list(stranger);
    }
    list(controlPlane.channel(pki.named("DNS:gatehouse.test")));
    Eventually.holds("both are written", () -> events(AuditChain.AUDIT_CHAIN_REFUSALS).size() == 2);
    List<AuditEvent> refusals = events(AuditChain.AUDIT_CHAIN_REFUSALS);
    assertThat(refusals)
        .extracting(AuditEvent::getActor)
        .containsExactly("operators/nobody", "address/127.0.0.1");
    assertThat(refusals).extracting(AuditEvent::getAction).containsOnly(LIST_TENANTS);
    assertThat(refusals)
        .extracting(AuditEvent::getRefusalCode)
        .containsExactly("PERMISSION_DENIED", "UNAUTHENTICATED");
    assertThat(events(AuditChain.AUDIT_CHAIN_CHANGES))
        .extracting(AuditEvent::getActor)
        .containsExactly("system/first-start");
  }

  @Test
  void handshakesThatFailAreOnRecord() {
    String name = "URI:spiffe://" + TestPki.TRUST_DOMAIN + "/operator/admin";
    assertThat(list(controlPlane.channel(pki.stranger(name)))).isEqualTo(Status.Code.UNAVAILABLE);
    Eventually.holds("it is written", () -> !events(AuditChain.AUDIT_CHAIN_REFUSALS).isEmpty());
    AuditEvent event = events(AuditChain.AUDIT_CHAIN_REFUSALS).get(0);
    assertThat(event.getActor()).isEqualTo("address/127.0.0.1");
    assertThat(event.getAction()).isEqualTo("TLS handshake");
    assertThat(event.getRefusalCode()).isEqualTo("UNAUTHENTICATED");
    assertThat(event.getRefusalReason()).isNotEmpty();
  }

  @Test
  void theCommandFindsWhatWasEdited() throws Exception {
    create(admin, "acme");
    create(admin, "beta");
    assertThat(gatehouse("audit", "verify")).extracting(Run::code).isEqualTo(0);
    assertThat(gatehouse("audit", "list", "--filter", "actor = operators/admin").out())
        .contains("tenant put", "tenants/acme", "tenants/beta")
        .doesNotContain("first-start");
    assertThat(gatehouse("audit", "list", "--since", "2100-01-01T00:00:00Z").out())
        .doesNotContain("tenants");
    String export = directory.resolve("changes.jsonl").toString();
    assertThat(gatehouse("audit", "export", "--file", export).code()).isEqualTo(0);
    assertThat(gatehouse("audit", "verify", "--file", export).code()).isEqualTo(0);
    execute("UPDATE journal SET payload = x'0a0161' WHERE seq = 2");
    Run found = gatehouse("audit", "verify");
    assertThat(found.code()).isEqualTo(1);
    assertThat(found.out()).contains("row 2: journal row 2 was changed");
    assertThat(gatehouse("audit", "export", "--file", export).code())
        .as("a file that is there is not written over")
        .isEqualTo(1);
  }

  @Test
  void anEditedExportIsFoundOffline() throws Exception {
    create(admin, "acme");
    create(admin, "beta");
    Path export = directory.resolve("changes.jsonl");
    gatehouse("audit", "export", "--file", export.toString());
    List<String> rows = Files.readAllLines(export);
    assertThat(rows).hasSize(3);
    assertThat(offline(List.of(rows.get(0), rows.get(2)))).contains("row 2: is missing");
    assertThat(offline(List.of(rows.get(0), rows.get(1).replace("acme", "evil"), rows.get(2))))
        .contains("row 2: does not say what its payload says");
    String payload = rows.get(1).replaceFirst("\"payload\":\"..", "\"payload\":\"AA");
    assertThat(offline(List.of(rows.get(0), payload, rows.get(2)))).contains("row 2: was changed");
    assertThat(offline(List.of(rows.get(1)))).contains("row 1: is missing");
    assertThat(offline(List.of("nonsense"))).contains("row 1: is not a row");
  }

  @Test
  void operatorsAreKeptByTheCommand() throws Exception {
    create(admin, "acme");
    assertThat(gatehouse("operator", "create", "acme/bob", "--role", "tenant-admin").out())
        .contains("created operator acme/bob at revision 3");
    Path manifest =
        Files.writeString(
            directory.resolve("operators.yaml"),
            """
            kind: Operator
            name: ann
            role: AUDITOR
            display_name: Ann
            ---
            kind: Operator
            name: tenants/acme/operators/bob
            role: TENANT_VIEWER
            """);
    assertThat(gatehouse("apply", "-f", manifest.toString()).code()).isEqualTo(0);
    assertThat(gatehouse("apply", "-f", manifest.toString(), "--dry-run").code()).isEqualTo(0);
    assertThat(gatehouse("operator", "list").out())
        .contains("admin", "FLEET_ADMIN", "ann", "AUDITOR")
        .doesNotContain("bob");
    assertThat(gatehouse("operator", "list", "acme").out()).contains("acme/bob", "TENANT_VIEWER");
    assertThat(gatehouse("operator", "list", "-").out()).contains("acme/bob").doesNotContain("ann");
    assertThat(gatehouse("operator", "get", "operators/ann").out()).contains("operators/ann");
    assertThat(gatehouse("operator", "delete", "admin").out()).contains("last fleet admin");
    assertThat(gatehouse("operator", "delete", "ann", "--wait").code()).isEqualTo(0);
    assertThat(gatehouse("tenant", "delete", "acme").code()).isEqualTo(0);
    assertThat(gatehouse("operator", "list", "-").out()).doesNotContain("bob");
  }

  @Test
  void theAuditIsForAdminsAndAuditors() {
    createOperator("operators/ann", Role.ROLE_AUDITOR);
    createOperator("operators/bob", Role.ROLE_FLEET_OPERATOR);
    assertThat(verify(controlPlane.channel(pki.operator("ann")))).isEqualTo(Status.Code.OK);
    assertThat(verify(controlPlane.channel(pki.operator("bob"))))
        .isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(verify(controlPlane.channel(pki.dpu("d1"))))
        .isEqualTo(Status.Code.PERMISSION_DENIED);
  }

  private String offline(List<String> rows) throws IOException {
    Path file = Files.write(directory.resolve("edited.jsonl"), rows);
    Run run = gatehouse("audit", "verify", "--file", file.toString());
    assertThat(run.code()).isEqualTo(1);
    return run.out();
  }

  private Run gatehouse(String... arguments) throws IOException {
    TlsPaths paths = pki.operatorPaths("admin");
    Path context =
        Files.writeString(
            directory.resolve("context.yaml"),
            """
            target: 127.0.0.1:%s
            ca: %s
            certificate: %s
            key: %s
            """
                .formatted(controlPlane.port(), paths.ca(), paths.certificate(), paths.key()));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    Terminal terminal =
        new Terminal(
            new ByteArrayInputStream(new byte[0]),
            stream,
            stream,
            Map.of("GATEHOUSE_CONTEXT", context.toString()),
            directory,
            Clock.systemUTC());
    int code = new GatehouseCli(terminal).run(arguments);
    return new Run(code, out.toString(StandardCharsets.UTF_8));
  }

  private List<AuditEvent> events(AuditChain chain) {
    return AuditServiceGrpc.newBlockingStub(admin)
        .listAuditEvents(ListAuditEventsRequest.newBuilder().setChain(chain).build())
        .getEventsList();
  }

  private io.gatehouse.runtime.tls.TlsFiles member(String tenant, String name) {
    return pki.named("URI:spiffe://" + TestPki.TRUST_DOMAIN + "/tenant/" + tenant + "/" + name);
  }

  private static Status.Code list(Channel channel) {
    return AnyCall.status(
            () ->
                TenantServiceGrpc.newBlockingStub(channel)
                    .listTenants(ListTenantsRequest.getDefaultInstance()))
        .getCode();
  }

  private static Status.Code create(Channel channel, String id) {
    Tenant tenant = Tenant.newBuilder().setName("tenants/" + id).build();
    return AnyCall.status(
            () ->
                TenantServiceGrpc.newBlockingStub(channel)
                    .createTenant(CreateTenantRequest.newBuilder().setTenant(tenant).build()))
        .getCode();
  }

  private static Status.Code verify(Channel channel) {
    return AnyCall.status(
            () ->
                AuditServiceGrpc.newBlockingStub(channel)
                    .verifyAudit(VerifyAuditRequest.getDefaultInstance()))
        .getCode();
  }

  private void createOperator(String name, Role role) {
    OperatorServiceGrpc.newBlockingStub(admin)
        .createOperator(
            CreateOperatorRequest.newBuilder()
                .setOperator(Operator.newBuilder().setName(name).setRole(role))
                .build());
  }

  private void update(String name, Role role) {
    OperatorServiceGrpc.newBlockingStub(admin)
        .updateOperator(
            UpdateOperatorRequest.newBuilder()
                .setOperator(Operator.newBuilder().setName(name).setRole(role))
                .setUpdateMask(com.google.protobuf.FieldMask.newBuilder().addPaths("role"))
                .build());
  }

  private void delete(String name) {
    OperatorServiceGrpc.newBlockingStub(admin)
        .deleteOperator(DeleteOperatorRequest.newBuilder().setName(name).build());
  }

  private String url() {
    return "jdbc:sqlite:" + directory.resolve("journal.db");
  }

  private void execute(String sql) throws Exception {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(sql)).isPositive();
    }
  }
}
