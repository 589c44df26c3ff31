package io.gatehouse.agent.subscribe;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.proto.v1.Ack;
import io.gatehouse.proto.v1.Delta;
import io.gatehouse.proto.v1.ExplainQuery;
import io.gatehouse.proto.v1.Hello;
import io.gatehouse.proto.v1.InventoryRequest;
import io.gatehouse.proto.v1.PolicyResource;
import io.gatehouse.proto.v1.RenewalRequest;
import io.gatehouse.proto.v1.SyncRequest;
import io.gatehouse.proto.v1.SyncResponse;
import io.gatehouse.runtime.Backoff;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole subscriber over a real stream to a control plane that does as it likes. */
final class SyncClientTest {
  private static final long LIMIT_SECONDS = 60;
  private static final List<PolicyResource> ONE_PORT =
      Deltas.messages(
          Policies.network("a/n", 1, "10.0.0.0/24"),
          Policies.localPort("a/n/p", "f0", "02:00:00:00:00:01", "10.0.0.1"));
  private static final List<PolicyResource> MOVED =
      Deltas.messages(
          Policies.network("a/n", 1, "10.0.0.0/24"),
          Policies.localPort("a/n/p", "f7", "02:00:00:00:00:01", "10.0.0.1"));

  @TempDir private Path folder;
  private final BlockingQueue<Policy> announced = new LinkedBlockingQueue<>();
  private FakeControlPlane controlPlane;
  private SyncClient client;

  @BeforeEach
  void start() throws IOException {
    controlPlane = new FakeControlPlane();
    client = client(folder);
    client.start();
  }

  @AfterEach
  void stop() throws InterruptedException {
    client.close();
    controlPlane.close();
    // What is still on its way to the disk ends before the folder goes.
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("policy-store")) {
        thread.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
      }
    }
  }

  private SyncClient client(Path state) {
    return new SyncClient(
        controlPlane,
        new PolicyStore(state),
        (policy, problems) -> announced.add(policy),
        Seals.TRUSTED.trust(),
        new SyncTimes(
            Duration.ofSeconds(5), new Backoff(Duration.ofMillis(5), Duration.ofMillis(20))),
        new SplittableRandom(1));
  }

  private static SyncResponse.Builder delta(
      HeldPolicy from, long toRevision, List<PolicyResource> to) {
    return response(Deltas.between(from, toRevision, to));
  }

  private static SyncResponse.Builder response(Delta delta) {
    return SyncResponse.newBuilder().setDelta(delta);
  }

  private static Ack ack(long revision) {
    return Ack.newBuilder().setAppliedRevision(revision).setHeldRevision(revision).build();
  }

  private Policy announced() throws InterruptedException {
    Policy policy = announced.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
    assertThat(policy).as("a policy within the limit").isNotNull();
    return policy;
  }

  /** Brings the client to revision 3 with one port, on disk and acked. */
  private FakeControlPlane.Stream synced() throws InterruptedException {
    FakeControlPlane.Stream stream = controlPlane.accept();
    assertThat(stream.hello().getHeldRevision()).isZero();
    stream.send(delta(HeldPolicy.NONE, 3, ONE_PORT));
    assertThat(announced().localPorts()).hasSize(1);
    client.report(ack(3));
    assertThat(stream.next().getAck()).isEqualTo(ack(3));
    return stream;
  }

  @Test
  @DisplayName("F17: the Ack comes when the policy is on disk")
  void theAckComesAfterTheDisk() throws InterruptedException, IOException {
    synced();
    assertThat(new PolicyStore(folder).load().orElseThrow().getRevision()).isEqualTo(3);
  }

  @Test
  @DisplayName("F17: no Ack while the disk fails, and one as soon as it does not")
  void noAckWhileTheDiskFails() throws InterruptedException, IOException {
    controlPlane.accept();
    client.close();
    Path gone = folder.resolve("gone");
    client = client(gone);
    client.start();
    FakeControlPlane.Stream stream = controlPlane.accept();
    stream.hello();
    stream.send(delta(HeldPolicy.NONE, 3, ONE_PORT));
    announced();
    client.report(ack(3));
    stream.send(
        SyncResponse.newBuilder().setInventoryRequest(InventoryRequest.getDefaultInstance()));
    assertThat(stream.next().hasInventory()).as("no Ack came before").isTrue();

    Files.createDirectory(gone);
    stream.send(delta(HeldPolicy.of(3, ONE_PORT), 4, ONE_PORT));
    assertThat(announced().revision()).isEqualTo(4);
    client.report(ack(4));
    SyncRequest acked = stream.next();
    if (acked.getAck().equals(ack(3))) {
      acked = stream.next();
    }
    assertThat(acked.getAck()).isEqualTo(ack(4));
    assertThat(new PolicyStore(gone).load().orElseThrow().getResourcesCount()).isEqualTo(2);
  }

  @Test
  @DisplayName("a new stream starts with what is held, and the newest Ack is said again")
  void reconnect() throws InterruptedException {
    FakeControlPlane.Stream stream = synced();
    for (int i = 0; i < 5; i++) {
      stream.end(Status.UNAVAILABLE);
      stream = controlPlane.accept();
      Hello hello = stream.hello();
      assertThat(hello.getHeldRevision()).isEqualTo(3);
      assertThat(hello.getInventoryHash()).isEqualTo(HeldPolicy.of(3, ONE_PORT).inventoryHash());
      assertThat(hello.getAgentVersion()).isEqualTo("test");
      stream.send(delta(HeldPolicy.of(3, ONE_PORT), 3, ONE_PORT));
      assertThat(stream.next().getAck()).isEqualTo(ack(3));
      announced();
    }
    assertThat(announced).isEmpty();
  }

  @Test
  @DisplayName("F21: after a restart the policy is announced before any control plane answers")
  void restart() throws InterruptedException, IOException {
    synced();
    client.close();
    controlPlane.close();
    client = client(folder);
    client.start();
    assertThat(announced().localPorts()).hasSize(1);
    controlPlane = new FakeControlPlane();
  }

  @Test
  @DisplayName("NOT_FOUND once changes nothing, twice closes the ports, a Delta opens them again")
  void notFound() throws InterruptedException {
    FakeControlPlane.Stream stream = synced();
    stream.end(Status.NOT_FOUND);
    stream = controlPlane.accept();
    stream.hello();
    assertThat(announced).isEmpty();
    stream.end(Status.NOT_FOUND);
    assertThat(announced().localPorts()).isEmpty();
    stream = controlPlane.accept();
    assertThat(stream.hello().getHeldRevision()).isEqualTo(3);
    stream.send(delta(HeldPolicy.of(3, ONE_PORT), 3, ONE_PORT));
    assertThat(announced().localPorts()).hasSize(1);
  }

  @Test
  @DisplayName("F35: a refused or unreadable certificate keeps the state, for ever if need be")
  void refusedCertificates() throws InterruptedException {
    FakeControlPlane.Stream stream = synced();
    controlPlane.breakCertificates(5);
    stream.end(Status.UNAUTHENTICATED.withDescription("who are you"));
    for (int i = 0; i < 3; i++) {
      stream = controlPlane.accept();
      assertThat(stream.hello().getHeldRevision()).isEqualTo(3);
      stream.end(Status.PERMISSION_DENIED);
    }
    controlPlane.accept();
    assertThat(announced).isEmpty();
    assertThat(client.status().everHeard()).isTrue();
  }

  @Test
  @DisplayName("F40: a stream that breaks in the middle of a snapshot changes nothing")
  void brokenSnapshot() throws InterruptedException {
    FakeControlPlane.Stream stream = synced();
    HeldPolicy held = HeldPolicy.of(3, ONE_PORT);
    List<Delta> parts = Deltas.parts(held, 4, MOVED);
    stream.send(response(parts.get(0)));
    stream.end(Status.UNAVAILABLE);
    stream = controlPlane.accept();
    assertThat(stream.hello().getHeldRevision()).isEqualTo(3);
    assertThat(announced).isEmpty();
    for (Delta part : parts) {
      stream.send(response(part));
    }
    assertThat(announced().revision()).isEqualTo(4);
  }

  @Test
  @DisplayName("bytes that are no message end the stream and nothing else")
  void garbage() throws InterruptedException {
    FakeControlPlane.Stream stream = synced();
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 10; i++) {
      byte[] bytes = new byte[2 + random.nextInt(200)];
      random.nextBytes(bytes);
      // Field 1 with a length that goes beyond the end: no message, whatever follows.
      bytes[0] = 0x0a;
      bytes[1] = 0x7f;
      stream.send(Arrays.copyOf(bytes, Math.min(bytes.length, 0x7f)));
      stream = controlPlane.accept();
      assertThat(stream.hello().getHeldRevision()).isEqualTo(3);
    }
    assertThat(announced).isEmpty();
  }

  @Test
  void aMessageOfAKindNotKnownHereIsPassedOver() throws InterruptedException {
    FakeControlPlane.Stream stream = synced();
    stream.send(new byte[] {(byte) 0xf8, 0x01, 0x01});
    stream.send(delta(HeldPolicy.of(3, ONE_PORT), 4, MOVED));
    assertThat(announced().revision()).isEqualTo(4);
  }

  @Test
  void aQuestionIsAnsweredAndAFailedOneEndsNothing() throws InterruptedException {
    FakeControlPlane.Stream stream = synced();
    stream.send(SyncResponse.newBuilder().setExplainQuery(ExplainQuery.newBuilder()));
    stream.send(
        SyncResponse.newBuilder()
            .setExplainQuery(ExplainQuery.newBuilder().setQueryId(9).setPort("p")));
    assertThat(stream.next().getExplainAnswer().getQueryId()).isEqualTo(9);
  }

  @Test
  @DisplayName("a reconnect with an equal inventory counts as connected")
  void equalInventoryIsConnected() throws InterruptedException {
    FakeControlPlane.Stream stream = synced();
    stream.end(Status.UNAVAILABLE.withDescription("going down"));
    stream = controlPlane.accept();
    stream.hello();
    assertThat(client.status().connected()).isFalse();
    stream.send(delta(HeldPolicy.of(3, ONE_PORT), 3, ONE_PORT));
    announced();
    stream.next();
    assertThat(client.status().connected()).isTrue();
    assertThat(client.status().reason()).isEmpty();
  }

  @Test
  void aRefusedPolicyIsSaidInTheStatusAndNotAskedForAtOnce() throws InterruptedException {
    FakeControlPlane.Stream stream = synced();
    Delta unsigned =
        Deltas.between(HeldPolicy.of(3, ONE_PORT), 4, MOVED).toBuilder().clearSeal().build();
    stream.send(response(unsigned));
    assertThat(stream.next().hasInventory()).isTrue();
    assertThat(stream.next().getAck().getProblems(0).getReason())
        .isEqualTo("policy refused: revision 4 is not signed");
    assertThat(client.status().refusal()).isEqualTo("revision 4 is not signed");
    assertThat(announced).isEmpty();
    stream.send(delta(HeldPolicy.of(3, ONE_PORT), 4, MOVED));
    assertThat(announced().revision()).isEqualTo(4);
  }

  @Test
  void aRenewalThatIsAskedForIsPassedOn() throws InterruptedException {
    FakeControlPlane.Stream stream = synced();
    RenewalRequest request = RenewalRequest.newBuilder().setSpreadSeconds(7).build();
    stream.send(SyncResponse.newBuilder().setRenewalRequest(request));
    assertThat(controlPlane.renewal()).isEqualTo(request);
  }

  @Test
  void whyItIsNotConnectedIsTold() throws InterruptedException {
    FakeControlPlane.Stream stream = synced();
    assertThat(client.status().connected()).isTrue();
    controlPlane.breakCertificates(1_000_000);
    stream.end(Status.UNAVAILABLE.withDescription("going down"));
    while (client.status().connected()) {
      Thread.onSpinWait();
    }
    assertThat(client.status().reason()).matches("UNAVAILABLE: going down|UNAUTHENTICATED: .*");
    assertThat(client.status().everHeard()).isTrue();
  }
}
