package io.gatehouse.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.gatehouse.agent.fixture.TestAuthority;
import io.gatehouse.proto.v1.Delta;
import io.gatehouse.proto.v1.RenewalRequest;
import io.gatehouse.proto.v1.SyncResponse;
import io.gatehouse.runtime.identity.HeldIdentity;
import io.gatehouse.runtime.identity.IdentityFiles;
import io.gatehouse.runtime.identity.NewIdentity;
import io.gatehouse.runtime.identity.TokenText;
import io.gatehouse.wire.PolicyVersions;
import io.grpc.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An agent's certificate from its first to its last day, over real sockets and real TLS. */
@Timeout(120)
final class IdentityLifeTest {
  private static final ByteString EMPTY_HASH =
      PolicyVersions.inventoryHash(Collections.emptySortedMap());

  @TempDir private Path folder;
  private FakeCloud cloud;
  private EnrolledAgent agent;
  private Path tokenFile;

  @BeforeEach
  void start() throws IOException {
    cloud = new FakeCloud(folder.resolve("cloud"));
    agent = new EnrolledAgent(folder, List.of(cloud.target()), cloud.enrollmentTarget());
    tokenFile = folder.resolve("token");
  }

  @AfterEach
  void stop() {
    agent.close();
    cloud.close();
  }

  private void bringToken(TokenText token) throws IOException {
    Path beside = folder.resolve("token.new");
    Files.writeString(beside, token.text() + "\n");
    Files.move(beside, tokenFile);
  }

  /** Puts an identity on disk as an earlier run has left it. */
  private HeldIdentity keep(String uri, Instant notBefore, Instant notAfter) throws IOException {
    HeldIdentity identity = cloud.authority.identity(uri, notBefore, notAfter);
    agent.store.policyKeys().replace(List.of(cloud.policyPublicKey()));
    new IdentityFiles(folder.resolve("identity")).save(identity);
    return identity;
  }

  private void keepExpired() throws IOException {
    Instant now = Instant.now();
    keep(FakeCloud.DPU_URI, now.minusSeconds(7_200), now.minusSeconds(3_600));
  }

  private void keepValid() throws IOException {
    Instant now = Instant.now();
    keep(FakeCloud.DPU_URI, now.minusSeconds(3_600), now.plusSeconds(3_600));
  }

  private static void await(BooleanSupplier reached) {
    while (!reached.getAsBoolean()) {
      // By the test's timeout.
      assertThat(Thread.currentThread().isInterrupted()).as("in time").isFalse();
      Thread.onSpinWait();
    }
  }

  private void awaitProblem(String part) {
    await(() -> agent.keeper.status().problem().contains(part));
  }

  private void awaitEnrolled() {
    await(
        () -> {
          var status = agent.keeper.status();
          return status.problem().isEmpty() && status.notAfter().isPresent();
        });
  }

  @Test
  void withoutIdentityAndTokenItWaitsAndSaysWhy() throws IOException {
    agent.start();
    awaitProblem("not enrolled yet; a token is awaited in " + tokenFile);
    await(() -> agent.sync.status().reason().contains("holds no identity: enrol this DPU"));
    assertThat(agent.keeper.status().notAfter()).isEmpty();
    assertThat(cloud.enrollments).isEmpty();
  }

  @Test
  void aTokenFileIsUsedAndRemovedAndTheStreamFollows() throws Exception {
    agent.start();
    awaitProblem("a token is awaited");
    bringToken(cloud.token());
    cloud.streams.next();
    awaitEnrolled();
    assertThat(tokenFile).doesNotExist();
    assertThat(cloud.enrollments).hasSize(1);
    assertThat(cloud.enrollments.get(0).getMachineSerialNumber()).isEqualTo("SN1");
    assertThat(Files.getPosixFilePermissions(folder.resolve("identity/identity.pem")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(agent.store.policyKeys().current()).hasSize(1);
  }

  /** The control plane gives the same key the same certificate; another key it would refuse. */
  @Test
  void afterALostAnswerItAsksWithTheSameKeyAlsoAfterARestart() throws Exception {
    cloud.refusal = Optional.of(Status.UNAVAILABLE);
    bringToken(cloud.token());
    agent.start();
    await(() -> cloud.enrollments.size() >= 2);
    agent.close();
    assertThat(folder.resolve("identity/enrolling.pem")).exists();
    agent = new EnrolledAgent(folder, List.of(cloud.target()), cloud.enrollmentTarget());
    cloud.refusal = Optional.empty();
    agent.start();
    awaitEnrolled();
    assertThat(cloud.enrollments)
        .extracting(request -> FakeCloud.keyOf(request.getCertificateRequest()))
        .containsOnly(FakeCloud.keyOf(cloud.enrollments.get(0).getCertificateRequest()));
    assertThat(agent.store.read().orElseThrow().certificate().getPublicKey())
        .isEqualTo(FakeCloud.keyOf(cloud.enrollments.get(0).getCertificateRequest()));
    assertThat(folder.resolve("identity/enrolling.pem"))
        .as("it has its certificate")
        .doesNotExist();
  }

  @Test
  @DisplayName("certificates of seconds renew, each with a new key, and no heartbeat is lost")
  void severalRenewals() throws Exception {
    cloud.life = Duration.ofSeconds(12);
    bringToken(cloud.token());
    agent.start();
    await(() -> cloud.renewedKeys.size() == 2);
    int before = cloud.streams.all.size();
    await(() -> cloud.renewedKeys.size() == 3 && cloud.streams.all.size() > before);
    FakeStreams.Stream last = cloud.streams.all.get(before);
    await(() -> last.heartbeats.size() > 3);
    assertThat(cloud.renewedKeys).doesNotHaveDuplicates();
    List<FakeStreams.Stream> streams = List.copyOf(cloud.streams.all);
    for (int i = 1; i < streams.size(); i++) {
      FakeStreams.Stream old = streams.get(i - 1);
      assertThat(streams.get(i).greeted).as("stream %d before the end", i).isLessThan(old.gone);
    }
    for (FakeStreams.Stream stream : streams) {
      for (int i = 0; i < stream.heartbeats.size(); i++) {
        assertThat(stream.heartbeats.get(i)).isEqualTo(i + 1);
      }
    }
    assertThat(cloud.recoveries).isEmpty();
    assertThat(cloud.enrollments).hasSize(1);
  }

  @Test
  void theControlPlaneMayAskForARenewal() throws Exception {
    keepValid();
    agent.start();
    FakeStreams.Stream stream = cloud.streams.next();
    stream.send(SyncResponse.newBuilder().setRenewalRequest(RenewalRequest.getDefaultInstance()));
    cloud.streams.next();
    assertThat(cloud.renewedKeys).hasSize(1);
    assertThat(cloud.enrollments).isEmpty();
  }

  @Test
  @DisplayName("F35: a certificate that expired while the machine was off")
  void recovery() throws Exception {
    keepExpired();
    agent.start();
    cloud.streams.next();
    awaitEnrolled();
    assertThat(cloud.recoveries).hasSize(1);
    assertThat(cloud.enrollments).isEmpty();
  }

  @Test
  @DisplayName("F35: who is refused keeps what it has, keeps trying, and takes a token")
  void refusedRecovery() throws Exception {
    keepExpired();
    byte[] before = Files.readAllBytes(folder.resolve("identity/identity.pem"));
    cloud.refusal = Optional.of(Status.PERMISSION_DENIED.withDescription("revoked"));
    agent.start();
    awaitProblem("has expired failed: PERMISSION_DENIED: revoked");
    await(() -> cloud.recoveries.size() > 2);
    assertThat(Files.readAllBytes(folder.resolve("identity/identity.pem"))).isEqualTo(before);
    cloud.refusal = Optional.empty();
    cloud.issuedTo = "spiffe://gatehouse.test/dpu/d2";
    awaitProblem("is not the DPU that the certificate was given to");
    assertThat(Files.readAllBytes(folder.resolve("identity/identity.pem"))).isEqualTo(before);
    cloud.issuedTo = FakeCloud.DPU_URI;
    bringToken(cloud.token());
    cloud.streams.next();
    awaitEnrolled();
  }

  @Test
  void aRefusedTokenIsTriedOnceAndAnotherOneIsTaken() throws Exception {
    cloud.refusal = Optional.of(Status.PERMISSION_DENIED);
    bringToken(cloud.token());
    agent.start();
    awaitProblem("enrolment failed: PERMISSION_DENIED");
    awaitProblem("another token is needed");
    cloud.refusal = Optional.empty();
    await(() -> agent.sync.status().reason().contains("holds no identity"));
    assertThat(cloud.enrollments).hasSize(1);
    assertThat(tokenFile).exists();
    Files.delete(tokenFile);
    bringToken(cloud.token());
    awaitEnrolled();
    assertThat(cloud.enrollments).hasSize(2);
  }

  @Test
  void anIdentityThatCannotBeReadIsSaidAndATokenHelps() throws Exception {
    keepValid();
    Path file = folder.resolve("identity/identity.pem");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    agent.start();
    awaitProblem("identity.pem: is open to group or others (rw-r-----); chmod 600 it");
    Files.writeString(file, "what a disk may do");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    awaitProblem("identity.pem: has no block");
    bringToken(cloud.token());
    cloud.streams.next();
    awaitEnrolled();
  }

  @Test
  void whatIsNoTokenIsSaidAndNotShown() throws Exception {
    Files.writeString(tokenFile, "gh1.secret-of-somebody");
    agent.start();
    awaitProblem("is not a token as it was printed");
    assertThat(agent.keeper.status().problem()).doesNotContain("secret-of-somebody");
  }

  @Test
  @DisplayName("a man in the middle with another root learns no token")
  void manInTheMiddle() throws Exception {
    TestAuthority pinned = new TestAuthority("pinned");
    TokenText token = TokenText.of(new byte[TokenText.PART_BYTES], pinned.root());
    bringToken(token);
    agent.start();
    awaitProblem("has not the root that the token names");
    assertThat(cloud.enrollments).isEmpty();
    assertThat(tokenFile).exists();
    assertThat(agent.keeper.status().problem()).doesNotContain(token.text());
  }

  @Test
  void anotherDpusCertificateIsNotKept() throws Exception {
    cloud.issuedTo = "spiffe://gatehouse.test/dpu/d2";
    bringToken(cloud.token());
    agent.start();
    awaitProblem("is not the DPU that the certificate was given to");
    assertThat(folder.resolve("identity/identity.pem")).doesNotExist();
  }

  @Test
  @DisplayName("F38: a clock that is behind is named, and when it is set all goes on")
  void clockBehind() throws Exception {
    agent.clockOffset = Duration.ofHours(-3);
    keepValid();
    agent.start();
    awaitProblem("the clock of this machine says");
    assertThat(agent.keeper.status().problem()).endsWith("it is behind");
    agent.clockOffset = Duration.ZERO;
    awaitEnrolled();
  }

  @Test
  void whatAnotherProgramEnrolsIsTakenIntoUse() throws Exception {
    agent.start();
    awaitProblem("not enrolled yet");
    Instant now = Instant.now();
    HeldIdentity identity =
        cloud.authority.identity(
            FakeCloud.DPU_URI, now.minusSeconds(3_600), now.plusSeconds(3_600));
    agent.store.save(new NewIdentity(identity, cloud.trust(), "dpus/d1"));
    cloud.streams.next();
    awaitEnrolled();
  }

  @Test
  @DisplayName("policy signed by a new key: the agent asks whom to trust, and takes it")
  void newPolicyKey() throws Exception {
    keepValid();
    agent.start();
    FakeStreams.Stream stream = cloud.streams.next();
    assertThat(stream.request().hasInventory()).isTrue();
    stream.send(policy(3));
    assertThat(agent.announced.take().revision()).isEqualTo(3);
    cloud.rotatePolicyKey();
    stream.send(policy(4));
    assertThat(stream.request().hasInventory()).as("refused: told what is held").isTrue();
    await(() -> holdsKey(cloud.policyPublicKey()));
    stream.send(policy(4));
    assertThat(agent.announced.take().revision()).isEqualTo(4);
    await(() -> agent.sync.status().refusal().isEmpty());
  }

  @Test
  void aControlPlaneWhoseCertificateIsRevokedIsRefused() throws Exception {
    keepValid();
    agent.start();
    FakeStreams.Stream stream = cloud.streams.next();
    cloud.revokeServerCertificate();
    agent.keeper.keyNotKnown();
    Path roots = folder.resolve("identity/roots.pem");
    await(() -> contains(roots, "X509 CRL"));
    stream.end(Status.UNAVAILABLE);
    await(() -> agent.sync.status().reason().contains("is revoked by its authority"));
    cloud.replaceServerCertificate();
    assertThat(cloud.streams.next()).as("a good one is taken").isNotNull();
  }

  private static boolean contains(Path file, String text) {
    try {
      return Files.readString(file).contains(text);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private SyncResponse.Builder policy(long revision) {
    return SyncResponse.newBuilder()
        .setDelta(
            Delta.newBuilder()
                .setToRevision(revision)
                .setComplete(true)
                .setInventoryHash(EMPTY_HASH)
                .setSeal(cloud.seal(revision, EMPTY_HASH)));
  }

  private boolean holdsKey(byte[] encoded) {
    try {
      return agent.store.policyKeys().current().values().stream()
          .anyMatch(key -> java.util.Arrays.equals(key.getEncoded(), encoded));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  @DisplayName("a replica that is away: the next of the list is taken")
  void theNextReplica() throws Exception {
    agent.close();
    int nobody;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = socket.getLocalPort();
    }
    agent =
        new EnrolledAgent(
            folder,
            List.of(new io.gatehouse.runtime.config.HostPort("127.0.0.1", nobody), cloud.target()),
            cloud.enrollmentTarget());
    keepValid();
    agent.start();
    FakeStreams.Stream stream = cloud.streams.next();
    await(() -> agent.sync.status().connected());
    stream.end(Status.UNAVAILABLE);
    cloud.streams.next();
  }
}
