package io.gatehouse.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.control.testing.Eventually;
import io.gatehouse.control.testing.PkiLab;
import io.gatehouse.control.testing.TestControlPlane;
import io.gatehouse.proto.v1.CreateEnrollmentTokenRequest;
import io.gatehouse.proto.v1.DeleteEnrollmentTokenRequest;
import io.gatehouse.proto.v1.EnrollmentToken;
import io.gatehouse.proto.v1.ListEnrollmentTokensRequest;
import io.gatehouse.proto.v1.RevokeIdentityRequest;
import io.gatehouse.runtime.identity.CertificateClient;
import io.gatehouse.runtime.identity.EnrollmentClient;
import io.gatehouse.runtime.identity.FreshKey;
import io.gatehouse.runtime.identity.NewIdentity;
import io.gatehouse.runtime.identity.TokenText;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnrollmentTest {
  @TempDir Path directory;
  private PkiLab lab;
  private ManagedChannel admin;

  @BeforeEach
  void start() throws Exception {
    lab = new PkiLab(directory, Duration.ofDays(7));
    assertThat(Files.getPosixFilePermissions(lab.adminTokenFile()))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    admin = lab.admin();
    TestControlPlane.createDpu(admin, "d1", "172.16.0.1");
    TestControlPlane.createDpu(admin, "d2", "172.16.0.2");
  }

  @AfterEach
  void stop() {
    lab.close();
  }

  @Test
  void oneAddressHasSoManyConnectionsAndNoMore() throws Exception {
    List<Socket> sockets = new ArrayList<>();
    try {
      boolean ended = false;
      for (int i = 0; i < 80 && !ended; i++) {
        Socket socket =
            new Socket(InetAddress.getLoopbackAddress(), lab.controlPlane().enrollmentPort());
        sockets.add(socket);
        // Who is let in hears nothing before he speaks; who is not, is closed at once.
        socket.setSoTimeout(i < 64 ? 1 : 2_000);
        ended = isClosed(socket);
      }
      assertThat(ended).as("closed before a handshake").isTrue();
      assertThat(sockets).hasSizeGreaterThan(50);
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  private static boolean isClosed(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (SocketException e) {
      return true;
    }
  }

  @Test
  void aTokenWorksOnceAndForItsDpuOnly() {
    TokenText token = lab.token(admin, "dpus/d1");
    NewIdentity enrolled = lab.enrolled(token);
    assertThat(enrolled.name()).isEqualTo("dpus/d1");
    assertThat(enrolled.held().certificate().getNotAfter().toInstant())
        .isBefore(java.time.Instant.now().plus(Duration.ofDays(7)));
    refused(() -> lab.enrolled(token));
  }

  @Test
  void whoLostTheAnswerGetsTheSameCertificateForTheSameKey() throws Exception {
    TokenText token = lab.token(admin, "dpus/d1");
    FreshKey key = FreshKey.make();
    NewIdentity first = enroll(token, key);
    assertThat(enroll(token, key).held().chain()).isEqualTo(first.held().chain());
    lab.restart();
    NewIdentity again = enroll(token, key);
    assertThat(again.held().chain()).isEqualTo(first.held().chain());
    assertThat(again.name()).isEqualTo("dpus/d1");
    assertThat(again.trustBundle().getRevocationListsCount()).isEqualTo(2);
    refused(() -> enroll(token, FreshKey.make()));
    NewIdentity renewed = new CertificateClient(lab.channel(first.held())).renew(PkiLab.LIMIT);
    assertThat(renewed.held().certificate()).isNotEqualTo(first.held().certificate());
    refused(() -> enroll(token, key));
  }

  @Test
  void aRevokedCertificateIsNotGivenAgain() {
    TokenText token = lab.token(admin, "dpus/d1");
    FreshKey key = FreshKey.make();
    enroll(token, key);
    lab.identities(admin)
        .revokeIdentity(
            RevokeIdentityRequest.newBuilder().setIdentity("dpus/d1").setReason("stolen").build());
    refused(() -> enroll(token, key));
  }

  @Test
  void theSameMachineMustAskAgain() {
    CreateEnrollmentTokenRequest bound =
        CreateEnrollmentTokenRequest.newBuilder()
            .setIdentity("dpus/d1")
            .setMachineSerialNumber("SN1")
            .build();
    TokenText token = TokenText.parse(lab.create(admin, bound).getToken());
    FreshKey key = FreshKey.make();
    EnrollmentClient client = lab.controlPlane().enrollment();
    NewIdentity first = client.enroll(token, key, "SN1", PkiLab.LIMIT);
    refused(() -> client.enroll(token, key, "SN2", PkiLab.LIMIT));
    assertThat(client.enroll(token, key, "SN1", PkiLab.LIMIT).held().chain())
        .isEqualTo(first.held().chain());
  }

  private NewIdentity enroll(TokenText token, FreshKey key) {
    return lab.controlPlane().enrollment().enroll(token, key, "", PkiLab.LIMIT);
  }

  @Test
  void theFirstTokensFileGoesAndNoOtherIsMadeOnceAnOperatorIsIn() throws Exception {
    Eventually.holds("the file is gone", () -> !Files.exists(lab.adminTokenFile()));
    lab.restart();
    assertThat(lab.adminTokenFile()).doesNotExist();
  }

  @Test
  void whoeverIsWrongIsToldTheSame() {
    CreateEnrollmentTokenRequest bound =
        CreateEnrollmentTokenRequest.newBuilder()
            .setIdentity("dpus/d1")
            .setMachineSerialNumber("SN1")
            .build();
    TokenText token = TokenText.parse(lab.create(admin, bound).getToken());
    List<String> answers = new ArrayList<>();
    answers.add(refused(() -> lab.controlPlane().enrollment().enroll(token, "SN2", PkiLab.LIMIT)));
    answers.add(refused(() -> lab.enrolled(token)));
    TokenText unknown =
        TokenText.parse("gh1." + "A".repeat(43) + token.text().substring("gh1.".length() + 43));
    answers.add(refused(() -> lab.enrolled(unknown)));
    TokenText withdrawn = withdrawn();
    answers.add(refused(() -> lab.enrolled(withdrawn)));
    assertThat(answers).containsOnly(answers.get(0));
    assertThat(lab.controlPlane().enrollment().enroll(token, "SN1", PkiLab.LIMIT).name())
        .isEqualTo("dpus/d1");
  }

  @Test
  void ofMachinesThatRaceForATokenOneGetsIn() {
    TokenText token = lab.token(admin, "dpus/d2");
    List<CompletableFuture<NewIdentity>> racing = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      racing.add(CompletableFuture.supplyAsync(() -> lab.enrolled(token)));
    }
    int in = 0;
    for (CompletableFuture<NewIdentity> one : racing) {
      try {
        one.join();
        in++;
      } catch (CompletionException e) {
        assertThat(Status.fromThrowable(e).getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
      }
    }
    assertThat(in).isEqualTo(1);
  }

  @Test
  void tokensAreListedWithoutSecretsAndOnlyForThoseWhoExist() {
    TokenText token = lab.token(admin, "dpus/d1");
    List<EnrollmentToken> listed =
        lab.identities(admin)
            .listEnrollmentTokens(ListEnrollmentTokensRequest.getDefaultInstance())
            .getEnrollmentTokensList();
    assertThat(listed).hasSize(1);
    assertThat(listed.get(0).getIdentity()).isEqualTo("dpus/d1");
    assertThat(listed.get(0).toString()).doesNotContain(token.text().substring(4, 20));
    assertThatThrownBy(() -> lab.token(admin, "dpus/nobody"))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("dpus/nobody does not exist");
    assertThatThrownBy(
            () ->
                lab.create(
                    admin,
                    CreateEnrollmentTokenRequest.newBuilder()
                        .setIdentity("dpus/d1")
                        .setLifetimeSeconds(59)
                        .build()))
        .hasMessageContaining("59 is outside 60..604800");
  }

  @Test
  void noSecretIsInTheJournal() throws Exception {
    TokenText token = lab.token(admin, "dpus/d1");
    lab.close();
    String secret = token.text().substring(4, 4 + 43);
    byte[] raw = java.util.Base64.getUrlDecoder().decode(secret);
    for (String file : List.of("journal.db", "journal.db-wal")) {
      Path path = directory.resolve(file);
      if (Files.exists(path)) {
        String content = Files.readString(path, java.nio.charset.StandardCharsets.ISO_8859_1);
        assertThat(content).doesNotContain(secret);
        assertThat(content)
            .doesNotContain(new String(raw, java.nio.charset.StandardCharsets.ISO_8859_1));
      }
    }
  }

  @Test
  void oneAddressMayNotTryForEver() {
    TokenText wrong =
        TokenText.parse(
            "gh1." + "A".repeat(43) + lab.token(admin, "dpus/d1").text().substring(4 + 43));
    List<Status.Code> codes = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      codes.add(code(() -> lab.enrolled(wrong)));
    }
    assertThat(codes).contains(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(codes.get(0)).isEqualTo(Status.Code.PERMISSION_DENIED);
  }

  private TokenText withdrawn() {
    var created =
        lab.create(admin, CreateEnrollmentTokenRequest.newBuilder().setIdentity("dpus/d1").build());
    lab.identities(admin)
        .deleteEnrollmentToken(
            DeleteEnrollmentTokenRequest.newBuilder()
                .setName(created.getEnrollmentToken().getName())
                .build());
    return TokenText.parse(created.getToken());
  }

  private static String refused(ThrowingCallable call) {
    assertThat(code(call)).isEqualTo(Status.Code.PERMISSION_DENIED);
    try {
      call.call();
      return "";
    } catch (Throwable e) {
      return String.valueOf(Status.fromThrowable(e).getDescription());
    }
  }

  private static Status.Code code(ThrowingCallable call) {
    try {
      call.call();
      return Status.Code.OK;
    } catch (Throwable e) {
      return Status.fromThrowable(e).getCode();
    }
  }
}
