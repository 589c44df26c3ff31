package io.gatehouse.agent.subscribe;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.proto.storage.v1.StoredPolicy;
import io.gatehouse.proto.v1.Ack;
import io.gatehouse.proto.v1.Delta;
import io.gatehouse.proto.v1.Inventory;
import io.gatehouse.proto.v1.PolicyRemoval;
import io.gatehouse.proto.v1.PolicyResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table "what the agent does when the control plane…", and the disk. */
final class SubscriberTest {
  private static final List<PolicyResource> ONE_PORT =
      Deltas.messages(
          Policies.network("a/n", 1, "10.0.0.0/24"),
          Policies.localPort("a/n/p", "f0", "02:00:00:00:00:01", "10.0.0.1"));

  @TempDir private Path folder;
  private final List<Policy> announced = new ArrayList<>();
  private final List<StoredPolicy> saved = new ArrayList<>();
  private final Subscriber subscriber = subscriber();

  private Subscriber subscriber() {
    return new Subscriber(
        (policy, problems) -> announced.add(policy), saved::add, Seals.TRUSTED.trust());
  }

  private Delta to(long revision, List<PolicyResource> resources) {
    return Deltas.between(subscriber.held(), revision, resources);
  }

  private Policy newest() {
    return announced.get(announced.size() - 1);
  }

  private static Ack ack(long revision) {
    return Ack.newBuilder().setAppliedRevision(revision).setHeldRevision(revision).build();
  }

  @Test
  void aDeltaIsAnnouncedAndSaved() {
    assertThat(subscriber.received(to(3, ONE_PORT))).isEmpty();
    assertThat(newest().localPorts()).hasSize(1);
    assertThat(saved).hasSize(1);
    assertThat(saved.get(0).getRevision()).isEqualTo(3);
  }

  @Test
  @DisplayName("unreachable: the last good policy stays for ever")
  void anOutageChangesNothing() {
    subscriber.received(to(3, ONE_PORT));
    for (int i = 0; i < 100; i++) {
      subscriber.disconnected();
    }
    assertThat(announced).hasSize(1);
    assertThat(saved).hasSize(1);
  }

  @Test
  @DisplayName("NOT_FOUND once changes nothing; twice closes the ports and keeps the policy")
  void twoAnswersCloseThePorts() {
    subscriber.received(to(3, ONE_PORT));
    subscriber.notRegistered();
    assertThat(announced).hasSize(1);
    subscriber.notRegistered();
    assertThat(newest().localPorts()).isEmpty();
    assertThat(newest().revision()).isEqualTo(3);
    assertThat(saved.get(1).getDisowned()).isTrue();
    assertThat(saved.get(1).getResourcesList()).hasSize(2);
    subscriber.notRegistered();
    assertThat(saved).as("said once").hasSize(2);
  }

  @Test
  void oneAnswerAndThenADeltaStartsTheCountAnew() {
    subscriber.received(to(3, ONE_PORT));
    subscriber.notRegistered();
    subscriber.received(to(4, ONE_PORT));
    subscriber.notRegistered();
    assertThat(newest().localPorts()).hasSize(1);
  }

  @Test
  @DisplayName("a Delta without changes opens the ports of a DPU that is registered again")
  void registeredAgain() {
    subscriber.received(to(3, ONE_PORT));
    subscriber.notRegistered();
    subscriber.notRegistered();
    subscriber.received(to(3, ONE_PORT));
    assertThat(newest().localPorts()).hasSize(1);
    assertThat(saved.get(saved.size() - 1).getDisowned()).isFalse();
  }

  @Test
  void aSnapshotCutOffByNotFoundIsForgotten() {
    List<Delta> parts = Deltas.parts(subscriber.held(), 3, ONE_PORT);
    subscriber.received(parts.get(0));
    subscriber.notRegistered();
    assertThat(subscriber.received(to(4, ONE_PORT))).as("no mismatch").isEmpty();
    assertThat(newest().revision()).isEqualTo(4);
  }

  @Test
  void aMismatchIsAnsweredWithAllThatIsHeld() {
    subscriber.received(to(3, ONE_PORT));
    Delta wrong = to(4, List.of()).toBuilder().setFromRevision(2).build();
    List<Inventory> answer = subscriber.received(wrong);
    assertThat(answer).hasSize(1);
    assertThat(answer.get(0).getComplete()).isTrue();
    assertThat(answer.get(0).getHeldRevision()).isEqualTo(3);
    assertThat(answer.get(0).getHeldList())
        .extracting(PolicyRemoval::getName)
        .containsExactlyElementsOf(ONE_PORT.stream().map(PolicyResource::getName).toList());
    assertThat(announced).hasSize(1);
  }

  @Test
  @DisplayName("an empty complete set removes the tenants")
  void emptySet() {
    subscriber.received(to(3, ONE_PORT));
    subscriber.received(to(4, List.of()));
    assertThat(newest()).isEqualTo(Policy.of(4, List.of()));
  }

  @Test
  @DisplayName("F17: what is not on disk yet is not acked")
  void noAckBeforeTheDisk() {
    subscriber.received(to(3, ONE_PORT));
    subscriber.applied(ack(3));
    assertThat(subscriber.sendableAck()).isEmpty();
    subscriber.persisted(3);
    assertThat(subscriber.sendableAck()).contains(ack(3));
  }

  @Test
  @DisplayName("F17: a new number does not make an older write count")
  void aNewNumberDoesNotOvertakeTheDisk() {
    subscriber.received(to(3, ONE_PORT));
    subscriber.received(to(4, ONE_PORT));
    subscriber.applied(ack(4));
    assertThat(subscriber.sendableAck()).as("nothing is on disk").isEmpty();
    saved.forEach(policy -> subscriber.persisted(policy.getRevision()));
    assertThat(subscriber.sendableAck()).contains(ack(4));
  }

  @Test
  @DisplayName("a new number is written, so that after a restart none below it counts")
  void aNewNumberAloneIsWrittenToDisk() {
    subscriber.received(to(3, ONE_PORT));
    subscriber.persisted(3);
    subscriber.received(to(3, ONE_PORT));
    assertThat(saved).as("nothing new").hasSize(1);
    subscriber.received(to(4, ONE_PORT));
    assertThat(saved).extracting(StoredPolicy::getRevision).containsExactly(3L, 4L);
    assertThat(saved.get(1).getSeal()).isEqualTo(to(4, ONE_PORT).getSeal());
  }

  @Test
  @DisplayName("F21: after a restart the policy comes from disk, before any control plane")
  void restart() throws IOException {
    subscriber.received(to(3, ONE_PORT));
    PolicyStore store = new PolicyStore(folder);
    store.save(saved.get(0));
    Subscriber restarted = subscriber();
    restarted.restore(store);
    assertThat(announced.get(1)).isEqualTo(announced.get(0));
    assertThat(restarted.hello().build()).isEqualTo(subscriber.hello().build());
    restarted.applied(ack(3));
    assertThat(restarted.sendableAck()).contains(ack(3));
  }

  @Test
  void aDisownedDpuStaysClosedAfterARestart() throws IOException {
    subscriber.received(to(3, ONE_PORT));
    subscriber.notRegistered();
    subscriber.notRegistered();
    PolicyStore store = new PolicyStore(folder);
    store.save(saved.get(1));
    Subscriber restarted = subscriber();
    restarted.restore(store);
    assertThat(newest().localPorts()).isEmpty();
    restarted.received(Deltas.between(restarted.held(), 3, ONE_PORT));
    assertThat(newest().localPorts()).hasSize(1);
  }

  @Test
  @DisplayName("an unusable file announces nothing: ports stay as they are")
  void anUnusableFileAnnouncesNothing() throws IOException {
    Files.writeString(folder.resolve("policy.bin"), "not a policy");
    subscriber.restore(new PolicyStore(folder));
    assertThat(announced).isEmpty();
    assertThat(subscriber.hello().getHeldRevision()).isZero();
  }

  @Test
  void aLargeInventoryComesInParts() {
    List<PolicyResource> many = new ArrayList<>();
    for (int i = 0; i < 12_345; i++) {
      many.add(Deltas.message(Policies.vtep("dpu-" + i, "192.0.2.1")));
    }
    subscriber.received(to(3, many));
    List<Inventory> parts = subscriber.inventory();
    assertThat(parts).extracting(Inventory::getComplete).containsExactly(false, false, true);
    assertThat(parts.stream().mapToInt(Inventory::getHeldCount).sum()).isEqualTo(12_345);
  }
}
