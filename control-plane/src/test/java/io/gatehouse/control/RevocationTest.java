package io.gatehouse.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.control.pki.PkiException;
import io.gatehouse.control.publish.FakeAgent;
import io.gatehouse.control.testing.Eventually;
import io.gatehouse.control.testing.GrpcAgent;
import io.gatehouse.control.testing.PkiLab;
import io.gatehouse.control.testing.TestControlPlane;
import io.gatehouse.proto.v1.Authority;
import io.gatehouse.proto.v1.AuthorityState;
import io.gatehouse.proto.v1.CreateOperatorRequest;
import io.gatehouse.proto.v1.DeleteOperatorRequest;
import io.gatehouse.proto.v1.Dpu;
import io.gatehouse.proto.v1.DpuServiceGrpc;
import io.gatehouse.proto.v1.ListAuthoritiesRequest;
import io.gatehouse.proto.v1.ListCertificatesRequest;
import io.gatehouse.proto.v1.ListDpusRequest;
import io.gatehouse.proto.v1.Operator;
import io.gatehouse.proto.v1.OperatorServiceGrpc;
import io.gatehouse.proto.v1.RevokeIdentityRequest;
import io.gatehouse.proto.v1.RevokeIssuingAuthorityRequest;
import io.gatehouse.proto.v1.Role;
import io.gatehouse.proto.v1.RotateIssuingAuthorityRequest;
import io.gatehouse.runtime.identity.CertificateClient;
import io.gatehouse.runtime.identity.HeldIdentity;
import io.gatehouse.runtime.identity.IdentityFiles;
import io.gatehouse.runtime.identity.NewIdentity;
import io.gatehouse.runtime.identity.TokenText;
import io.gatehouse.runtime.tls.FailureText;
import io.gatehouse.runtime.tls.TlsFiles;
import io.gatehouse.runtime.tls.TlsPaths;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RevocationTest {
  @TempDir Path directory;
  private PkiLab lab;
  private ManagedChannel admin;

  @BeforeEach
  void start() throws Exception {
    lab = new PkiLab(directory, Duration.ofMinutes(1));
    admin = lab.admin();
  }

  @AfterEach
  void stop() {
    lab.close();
  }

  @Test
  void endsTheStreamAtOnceAndRefusesTheNextHandshakeUntilItHasEnrolledAgain() throws Exception {
    HeldIdentity machine = lab.dpu(admin, "d1", "172.16.0.1");
    HeldIdentity other = lab.dpu(admin, "d2", "172.16.0.2");
    ManagedChannel channel = lab.channel(machine);
    GrpcAgent agent = connected(channel);
    GrpcAgent bystander = connected(lab.channel(other));
    assertThat(revoke("dpus/d1")).isEqualTo(1);
    Eventually.holds("the stream has ended", () -> agent.end().isPresent());
    assertThat(agent.end().orElseThrow().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(agent.end().orElseThrow().getDescription()).contains("revoked");
    assertThatThrownBy(() -> new CertificateClient(channel).renew(PkiLab.LIMIT))
        .as("on the connection that is still open")
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("UNAUTHENTICATED");
    assertThatThrownBy(() -> new CertificateClient(lab.channel(machine)).renew(PkiLab.LIMIT))
        .as("at the next handshake")
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("UNAVAILABLE");
    assertThatThrownBy(
            () -> lab.controlPlane().enrollment().recover(machine, Instant.now(), PkiLab.LIMIT))
        .hasMessageContaining("PERMISSION_DENIED");
    assertThat(bystander.end()).isEmpty();
    NewIdentity again = lab.enrolled(lab.token(admin, "dpus/d1"));
    assertThat(connected(lab.channel(again.held())).end()).isEmpty();
  }

  @Test
  void aTokenOfARevokedIdentityIsGone() throws Exception {
    TestControlPlane.createDpu(admin, "d1", "172.16.0.1");
    TokenText token = lab.token(admin, "dpus/d1");
    revoke("dpus/d1");
    assertThatThrownBy(() -> lab.enrolled(token)).hasMessageContaining("PERMISSION_DENIED");
  }

  @Test
  void holdsAcrossARestart() throws Exception {
    HeldIdentity machine = lab.dpu(admin, "d1", "172.16.0.1");
    revoke("dpus/d1");
    lab.restart();
    assertThatThrownBy(() -> new CertificateClient(lab.channel(machine)).renew(PkiLab.LIMIT))
        .hasMessageContaining("UNAVAILABLE");
  }

  @Test
  void renewalGivesANewKeyAndBothCertificatesWork() throws Exception {
    HeldIdentity machine = lab.dpu(admin, "d1", "172.16.0.1");
    NewIdentity fresh = new CertificateClient(lab.channel(machine)).renew(PkiLab.LIMIT);
    assertThat(fresh.held().certificate().getPublicKey())
        .isNotEqualTo(machine.certificate().getPublicKey());
    assertThat(fresh.trustBundle().getRevocationListsCount()).isEqualTo(2);
    assertThat(connected(lab.channel(fresh.held())).end()).isEmpty();
    assertThat(
            lab.identities(admin)
                .listCertificates(
                    ListCertificatesRequest.newBuilder().setIdentity("dpus/d1").build())
                .getCertificatesList())
        .hasSize(2)
        .noneMatch(certificate -> certificate.getRevoked());
  }

  @Test
  void anAuthorityIsReplacedWithoutAnOutageAndThenRevoked() throws Exception {
    HeldIdentity machine = lab.dpu(admin, "d1", "172.16.0.1");
    GrpcAgent agent = connected(lab.channel(machine));
    String old = authorities().get(0).getName();
    lab.identities(admin)
        .rotateIssuingAuthority(RotateIssuingAuthorityRequest.getDefaultInstance());
    Eventually.holds("the agent is asked to renew", () -> agent.renewalRequests() == 1);
    assertThat(authorities())
        .extracting(Authority::getState)
        .containsExactly(
            AuthorityState.AUTHORITY_STATE_ISSUING, AuthorityState.AUTHORITY_STATE_RETIRING);
    assertThat(agent.end()).as("the old certificate is good").isEmpty();
    ManagedChannel next = lab.channel(machine);
    NewIdentity fresh = new CertificateClient(next).renew(PkiLab.LIMIT);
    assertThat(connected(lab.channel(fresh.held())).renewalRequests()).isZero();
    NewIdentity freshAdmin = new CertificateClient(admin).renew(PkiLab.LIMIT);
    ManagedChannel newAdmin = lab.channel(freshAdmin.held());
    lab.identities(newAdmin)
        .revokeIssuingAuthority(
            RevokeIssuingAuthorityRequest.newBuilder().setName(old).setReason("retired").build());
    assertThatThrownBy(() -> new CertificateClient(lab.channel(machine)).renew(PkiLab.LIMIT))
        .hasMessageContaining("UNAVAILABLE");
    assertThat(connected(lab.channel(fresh.held())).end()).isEmpty();
  }

  /** Somebody has stolen a control plane's key, and its authority was revoked for that. */
  @Test
  void aServerOfARevokedAuthorityIsRefusedByThoseWhoHaveTheList() throws Exception {
    Path stolen = Files.copy(lab.pki().resolve("server.pem"), directory.resolve("stolen.pem"));
    Files.setPosixFilePermissions(stolen, PosixFilePermissions.fromString("rw-------"));
    HeldIdentity machine = lab.dpu(admin, "d1", "172.16.0.1");
    String old = authorities().get(0).getName();
    lab.identities(admin)
        .rotateIssuingAuthority(RotateIssuingAuthorityRequest.getDefaultInstance());
    NewIdentity fresh = new CertificateClient(lab.channel(machine)).renew(PkiLab.LIMIT);
    NewIdentity freshAdmin = new CertificateClient(admin).renew(PkiLab.LIMIT);
    lab.identities(lab.channel(freshAdmin.held()))
        .revokeIssuingAuthority(
            RevokeIssuingAuthorityRequest.newBuilder().setName(old).setReason("stolen").build());
    CertificateClient client = new CertificateClient(lab.channel(fresh.held()));
    IdentityFiles informed = new IdentityFiles(directory.resolve("informed"));
    informed.save(new NewIdentity(fresh.held(), client.trustBundle(PkiLab.LIMIT), ""));
    TlsPaths theirs = new TlsPaths(lab.pki().resolve("roots.pem"), stolen, stolen);
    Server impostor =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .sslContext(TlsFiles.open(theirs).openServerContext())
            .build()
            .start();
    try {
      assertThat(answer(impostor, lab.saved(fresh.held())))
          .as("without the list: only the RPC is missing")
          .startsWith("UNIMPLEMENTED");
      assertThat(answer(impostor, TlsFiles.open(informed.paths())))
          .startsWith("UNAVAILABLE")
          .endsWith("is revoked by its authority");
    } finally {
      impostor.shutdownNow();
    }
    assertThat(answer(lab.controlPlane().port(), TlsFiles.open(informed.paths())))
        .as("the control plane has a certificate of the new authority")
        .isEqualTo("OK");
  }

  private static String answer(Server server, TlsFiles client) {
    return answer(server.getPort(), client);
  }

  private static String answer(int port, TlsFiles client) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port)
            .sslContext(client.clientContext())
            .build();
    try {
      new CertificateClient(channel).trustBundle(PkiLab.LIMIT);
      return "OK";
    } catch (StatusRuntimeException e) {
      return FailureText.of(e.getStatus(), Instant.now());
    } finally {
      channel.shutdownNow();
    }
  }

  @Test
  void theNewestAuthorityIsNotRevoked() {
    String newest = authorities().get(0).getName();
    assertThatThrownBy(
            () ->
                lab.identities(admin)
                    .revokeIssuingAuthority(
                        RevokeIssuingAuthorityRequest.newBuilder()
                            .setName(newest)
                            .setReason("x")
                            .build()))
        .hasMessageContaining("is the one that signs");
  }

  @Test
  void f35AHolderOfTheNewestCertificateFindsAWayBackOnce() throws Exception {
    HeldIdentity machine = lab.dpu(admin, "d1", "172.16.0.1");
    NewIdentity back =
        lab.controlPlane().enrollment().recover(machine, Instant.now(), PkiLab.LIMIT);
    assertThat(connected(lab.channel(back.held())).end()).isEmpty();
    assertThatThrownBy(
            () -> lab.controlPlane().enrollment().recover(machine, Instant.now(), PkiLab.LIMIT))
        .as("it is no longer the newest")
        .hasMessageContaining("PERMISSION_DENIED");
    assertThatThrownBy(
            () ->
                lab.controlPlane()
                    .enrollment()
                    .recover(back.held(), Instant.now().minus(Duration.ofHours(2)), PkiLab.LIMIT))
        .as("an old proof")
        .hasMessageContaining("PERMISSION_DENIED");
  }

  @Test
  void otherKeysThanTheJournalsAreRefusedAtTheStart() throws Exception {
    lab.close();
    try (Stream<Path> files = Files.list(lab.pki())) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    assertThatThrownBy(() -> lab.restart())
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("has no key here")
        .hasMessageContaining("copy pki.directory");
    TestControlPlane elsewhere =
        TestControlPlane.startWithPki(
            "jdbc:sqlite:" + directory.resolve("elsewhere.db"), lab.pki(), Duration.ofDays(1));
    elsewhere.close();
    assertThatThrownBy(() -> lab.restart())
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("is another root than the journal's");
  }

  @Test
  void f50TheRootsKeyIsNeededForRotationOnly() throws Exception {
    Path key = lab.pki().resolve("root.key");
    Path away = directory.resolve("root.key");
    Files.move(key, away);
    lab.restart();
    ManagedChannel ann = createAnn(lab.adminChannel());
    assertThatThrownBy(
            () ->
                lab.identities(ann)
                    .rotateIssuingAuthority(RotateIssuingAuthorityRequest.getDefaultInstance()))
        .hasMessageContaining("the key of the root is not here");
    Files.move(away, key);
    lab.identities(ann).rotateIssuingAuthority(RotateIssuingAuthorityRequest.getDefaultInstance());
  }

  @Test
  @DisplayName("who is removed is refused, and whoever is added under that name is somebody else")
  void aRemovedOperatorStaysOut() throws Exception {
    ManagedChannel first = createAnn(admin);
    assertThat(listDpus(first)).isEmpty();
    OperatorServiceGrpc.newBlockingStub(admin)
        .deleteOperator(DeleteOperatorRequest.newBuilder().setName("operators/ann").build());
    assertThatThrownBy(() -> listDpus(first)).isInstanceOf(StatusRuntimeException.class);
    ManagedChannel second = createAnn(admin);
    assertThat(listDpus(second)).isEmpty();
    assertThatThrownBy(() -> listDpus(first))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e ->
                assertThat(e.getStatus().getCode())
                    .isIn(Status.Code.UNAUTHENTICATED, Status.Code.UNAVAILABLE));
  }

  private static List<Dpu> listDpus(ManagedChannel as) {
    return DpuServiceGrpc.newBlockingStub(as)
        .listDpus(ListDpusRequest.newBuilder().setFilter("name = dpus/none").build())
        .getDpusList();
  }

  private ManagedChannel createAnn(ManagedChannel as) throws Exception {
    OperatorServiceGrpc.newBlockingStub(as)
        .createOperator(
            CreateOperatorRequest.newBuilder()
                .setOperator(
                    Operator.newBuilder().setName("operators/ann").setRole(Role.ROLE_FLEET_ADMIN))
                .build());
    return lab.channel(lab.enrolled(lab.token(as, "operators/ann")).held());
  }

  private List<Authority> authorities() {
    return lab.identities(admin)
        .listAuthorities(ListAuthoritiesRequest.getDefaultInstance())
        .getAuthoritiesList();
  }

  private int revoke(String identity) {
    return lab.identities(admin)
        .revokeIdentity(
            RevokeIdentityRequest.newBuilder().setIdentity(identity).setReason("stolen").build())
        .getRevokedCertificateCount();
  }

  private static GrpcAgent connected(ManagedChannel channel) {
    GrpcAgent agent = new GrpcAgent(new FakeAgent(FakeAgent.Mode.EAGER));
    agent.connect(channel);
    Eventually.holds("policy has come", () -> agent.revision() > 0 || agent.end().isPresent());
    return agent;
  }
}
