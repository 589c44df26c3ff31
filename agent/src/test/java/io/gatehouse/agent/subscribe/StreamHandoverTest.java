package io.gatehouse.agent.subscribe;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.proto.v1.InventoryRequest;
import io.gatehouse.proto.v1.PolicyResource;
import io.gatehouse.proto.v1.SyncResponse;
import io.gatehouse.runtime.Backoff;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stream that moves to a connection with a newer certificate. */
final class StreamHandoverTest {
  private static final long LIMIT_SECONDS = 60;
  private static final List<PolicyResource> ONE_PORT =
      Deltas.messages(
          Policies.network("a/n", 1, "10.0.0.0/24"),
          Policies.localPort("a/n/p", "f0", "02:00:00:00:00:01", "10.0.0.1"));
  private static final List<PolicyResource> MOVED =
      Deltas.messages(
          Policies.network("a/n", 1, "10.0.0.0/24"),
          Policies.localPort("a/n/p", "f7", "02:00:00:00:00:01", "10.0.0.1"));
  private static final HeldPolicy HELD = HeldPolicy.of(3, ONE_PORT);

  @TempDir private Path folder;
  private final BlockingQueue<Policy> announced = new LinkedBlockingQueue<>();
  private FakeControlPlane controlPlane;
  private SyncClient client;
  private FakeControlPlane.Stream first;

  @BeforeEach
  void start() throws IOException, InterruptedException {
    controlPlane = new FakeControlPlane();
    client =
        new SyncClient(
            controlPlane,
            new PolicyStore(folder),
            (policy, problems) -> announced.add(policy),
            Seals.TRUSTED.trust(),
            new SyncTimes(
                Duration.ofMillis(5), new Backoff(Duration.ofMillis(5), Duration.ofMillis(20))),
            new SplittableRandom(1));
    client.start();
    first = controlPlane.accept();
    first.hello();
    first.send(delta(HeldPolicy.NONE, 3, ONE_PORT));
    assertThat(announced().revision()).isEqualTo(3);
    while (!Files.exists(folder.resolve("policy.bin"))) {
      Thread.onSpinWait();
    }
  }

  @AfterEach
  void stop() throws InterruptedException {
    client.close();
    controlPlane.close();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("policy-store")) {
        thread.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
      }
    }
  }

  private static SyncResponse.Builder delta(
      HeldPolicy from, long toRevision, List<PolicyResource> to) {
    return SyncResponse.newBuilder().setDelta(Deltas.between(from, toRevision, to));
  }

  private Policy announced() throws InterruptedException {
    Policy policy = announced.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
    assertThat(policy).as("a policy within the limit").isNotNull();
    return policy;
  }

  @Test
  void theOldStreamGoesOnUntilTheNewOneIsAnswered() throws InterruptedException {
    client.moveOver();
    FakeControlPlane.Stream second = controlPlane.accept();
    assertThat(second.hello().getHeldRevision()).isEqualTo(3);
    long before = first.heartbeat();
    assertThat(first.heartbeat()).isGreaterThan(before);
    second.send(delta(HELD, 3, ONE_PORT));
    assertThat(second.heartbeat()).isPositive();
    first.awaitEnd();
    assertThat(client.status().connected()).isTrue();
    second.send(delta(HELD, 4, MOVED));
    announced();
    assertThat(announced().revision()).isEqualTo(4);
    assertThat(controlPlane.noOtherStream()).isTrue();
  }

  @Test
  void aControlPlaneThatEndsTheOldOneFirstLosesNoHeartbeat() throws InterruptedException {
    client.moveOver();
    FakeControlPlane.Stream second = controlPlane.accept();
    second.hello();
    first.end(Status.ABORTED.withDescription("another stream"));
    assertThat(second.heartbeat()).isPositive();
    assertThat(client.status().connected()).isTrue();
    assertThat(controlPlane.noOtherStream()).isTrue();
  }

  @Test
  void aMoveThatFailsIsTriedAgainWhileTheOldStreamGoesOn() throws InterruptedException {
    controlPlane.breakCertificates(2);
    client.moveOver();
    FakeControlPlane.Stream second = controlPlane.accept();
    second.hello();
    second.end(Status.UNAVAILABLE);
    FakeControlPlane.Stream third = controlPlane.accept();
    third.hello();
    assertThat(first.heartbeat()).isPositive();
    assertThat(client.status().connected()).isTrue();
    third.send(delta(HELD, 3, ONE_PORT));
    first.awaitEnd();
    assertThat(third.heartbeat()).isPositive();
  }

  @Test
  void policyOfTheOldStreamWhileItMovesIsNotLost() throws InterruptedException {
    client.moveOver();
    FakeControlPlane.Stream second = controlPlane.accept();
    assertThat(second.hello().getHeldRevision()).isEqualTo(3);
    first.send(delta(HELD, 4, MOVED));
    // What the second says next is meant for what its Hello told.
    second.send(delta(HELD, 3, ONE_PORT));
    assertThat(announced().revision()).isEqualTo(3);
    second.send(delta(HELD, 4, MOVED));
    assertThat(announced().revision()).isEqualTo(4);
    assertThat(client.status().refusal()).isEmpty();
  }

  @Test
  void policyOfTheOldStreamIsAskedForAgainIfItStays() throws InterruptedException {
    client.moveOver();
    FakeControlPlane.Stream second = controlPlane.accept();
    second.hello();
    first.send(delta(HELD, 4, MOVED));
    // Read in this order: the answer shows that the policy was passed over.
    first.send(
        SyncResponse.newBuilder().setInventoryRequest(InventoryRequest.getDefaultInstance()));
    assertThat(first.next().getInventory().getHeldRevision()).isEqualTo(3);
    second.end(Status.UNAVAILABLE);
    assertThat(first.next().getInventory().getHeldRevision()).isEqualTo(3);
  }

  @Test
  void aSecondMoveReplacesOneThatIsNotAnsweredYet() throws InterruptedException {
    client.moveOver();
    FakeControlPlane.Stream second = controlPlane.accept();
    second.hello();
    client.moveOver();
    FakeControlPlane.Stream third = controlPlane.accept();
    third.hello();
    second.awaitEnd();
    assertThat(first.heartbeat()).isPositive();
    third.send(delta(HELD, 3, ONE_PORT));
    assertThat(third.heartbeat()).isPositive();
    assertThat(controlPlane.noOtherStream()).isTrue();
  }
}
