package io.gatehouse.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.control.pki.PkiException;
import io.gatehouse.control.publish.FakeAgent;
import io.gatehouse.control.testing.Eventually;
import io.gatehouse.control.testing.GrpcAgent;
import io.gatehouse.control.testing.PkiLab;
import io.gatehouse.control.testing.TestControlPlane;
import io.gatehouse.proto.v1.RevokeIdentityRequest;
import io.gatehouse.proto.v1.RotateIssuingAuthorityRequest;
import io.gatehouse.runtime.identity.CertificateClient;
import io.gatehouse.runtime.identity.HeldIdentity;
import io.gatehouse.runtime.identity.NewIdentity;
import io.gatehouse.runtime.identity.TokenText;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two control planes on one PostgreSQL, with copies of the same keys. */
class TwoAuthoritiesIT {
  private static final Duration LIFE = Duration.ofDays(7);

  @TempDir Path directory;
  private PostgresServer postgres;
  private String url;
  private PkiLab east;
  private TestControlPlane west;
  private ManagedChannel admin;

  @BeforeEach
  void start() throws Exception {
    postgres = PostgresServer.start();
    url = postgres.newDatabase();
    east = new PkiLab(directory, LIFE, url);
    admin = east.admin();
    copyKeys(westPki());
    west = TestControlPlane.startWithPki(url, westPki(), LIFE);
  }

  @AfterEach
  void stop() {
    west.close();
    east.close();
    postgres.close();
  }

  @Test
  void aTokenIsGoodAtEitherAndOnce() {
    TestControlPlane.createDpu(admin, "d1", "172.16.0.1");
    for (int i = 0; i < 5; i++) {
      TokenText token = east.token(admin, "dpus/d1");
      List<CompletableFuture<NewIdentity>> racing = new ArrayList<>();
      for (TestControlPlane one : List.of(east.controlPlane(), west)) {
        racing.add(
            CompletableFuture.supplyAsync(() -> one.enrollment().enroll(token, "", PkiLab.LIMIT)));
      }
      assertThat(racing.stream().filter(TwoAuthoritiesIT::isIn).count()).isEqualTo(1);
    }
    TokenText token = east.token(admin, "dpus/d1");
    Eventually.holds("the west knows the token", () -> enrolsAt(west, token));
    assertThat(enrolsAt(east.controlPlane(), token)).isFalse();
  }

  @Test
  void aRevocationAtOneEndsStreamsAtTheOther() throws Exception {
    HeldIdentity machine = east.dpu(admin, "d1", "172.16.0.1");
    GrpcAgent agent = new GrpcAgent(new FakeAgent(FakeAgent.Mode.EAGER));
    agent.connect(west.channel(east.saved(machine)));
    Eventually.holds("policy has come", () -> agent.revision() > 0);
    east.identities(admin)
        .revokeIdentity(
            RevokeIdentityRequest.newBuilder().setIdentity("dpus/d1").setReason("x").build());
    Eventually.holds("its stream in the west has ended", () -> agent.end().isPresent());
    assertThat(agent.end().orElseThrow().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
  }

  @Test
  void oneWithoutTheNewKeySaysSoUntilItIsCopied() throws Exception {
    HeldIdentity machine = east.dpu(admin, "d1", "172.16.0.1");
    east.identities(admin)
        .rotateIssuingAuthority(RotateIssuingAuthorityRequest.getDefaultInstance());
    ManagedChannel atWest = west.channel(east.saved(machine));
    Eventually.holds(
        "the west knows of the new authority",
        () -> {
          try {
            new CertificateClient(atWest).renew(PkiLab.LIMIT);
            return false;
          } catch (StatusRuntimeException e) {
            return String.valueOf(e.getMessage()).contains("has not the key of authority");
          }
        });
    copyKeys(westPki());
    assertThat(new CertificateClient(atWest).renew(PkiLab.LIMIT)).isNotNull();
  }

  @Test
  void oneWithKeysOfItsOwnDoesNotStart() {
    assertThatThrownBy(() -> TestControlPlane.startWithPki(url, directory.resolve("other"), LIFE))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("has no key here")
        .hasMessageContaining("copy pki.directory");
  }

  @Test
  void oneWithAnotherPolicyKeyDoesNotStart() throws Exception {
    Path other = directory.resolve("other");
    copyKeys(other);
    Files.delete(other.resolve("policy.key"));
    assertThatThrownBy(() -> TestControlPlane.startWithPki(url, other, LIFE))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("policy.key here is ")
        .hasMessageContaining("the journal's is ");
  }

  private Path westPki() {
    return directory.resolve("west");
  }

  private void copyKeys(Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(east.pki())) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (name.startsWith("root.")
            || name.startsWith("authority-")
            || name.equals("policy.key")) {
          Path copy = to.resolve(name);
          Files.deleteIfExists(copy);
          Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    }
  }

  private static boolean enrolsAt(TestControlPlane controlPlane, TokenText token) {
    try {
      controlPlane.enrollment().enroll(token, "", PkiLab.LIMIT);
      return true;
    } catch (StatusRuntimeException e) {
      return false;
    }
  }

  private static boolean isIn(CompletableFuture<NewIdentity> one) {
    try {
      one.join();
      return true;
    } catch (CompletionException e) {
      return false;
    }
  }
}
