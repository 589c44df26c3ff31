package io.gatehouse.agent.subscribe;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.Problem;
import io.gatehouse.agent.subscribe.PolicyRefusedException.Reason;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.storage.v1.StoredPolicy;
import io.gatehouse.proto.v1.Ack;
import io.gatehouse.proto.v1.Delta;
import io.gatehouse.proto.v1.PolicyResource;
import io.gatehouse.proto.v1.ResourceState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an agent makes of policies that the policy key has not signed, from the wire and the disk.
 */
final class SealedPolicyTest implements PolicyListener {
  private static final List<PolicyResource> ONE_PORT =
      Deltas.messages(
          Policies.network("a/n", 1, "10.0.0.0/24"),
          Policies.localPort("a/n/p", "f0", "02:00:00:00:00:01", "10.0.0.1"));
  private static final List<PolicyResource> MOVED =
      Deltas.messages(
          Policies.network("a/n", 1, "10.0.0.0/24"),
          Policies.localPort("a/n/p", "f7", "02:00:00:00:00:01", "10.0.0.1"));

  @TempDir private Path folder;
  private final List<Policy> announced = new ArrayList<>();
  private final List<Reason> refused = new ArrayList<>();
  private final List<StoredPolicy> saved = new ArrayList<>();

  @Override
  public void policyChanged(Policy policy, List<Problem> unreadable) {
    announced.add(policy);
  }

  @Override
  public void policyRefused(Reason reason) {
    refused.add(reason);
  }

  private Subscriber subscriber() {
    return new Subscriber(this, saved::add, Seals.TRUSTED.trust());
  }

  /** One that holds revision 3. */
  private Subscriber synced() {
    Subscriber subscriber = subscriber();
    subscriber.received(Deltas.between(HeldPolicy.NONE, 3, ONE_PORT));
    subscriber.persisted(3);
    announced.clear();
    return subscriber;
  }

  private static Delta unsigned(Subscriber subscriber, long revision, List<PolicyResource> to) {
    return Deltas.between(subscriber.held(), revision, to).toBuilder().clearSeal().build();
  }

  @Test
  void aRefusalLeavesAllAndTellsTheControlPlaneWhatIsHeld() {
    Subscriber subscriber = synced();
    var answer = subscriber.received(unsigned(subscriber, 4, MOVED));
    assertThat(answer).hasSize(1);
    assertThat(answer.get(0).getHeldRevision()).isEqualTo(3);
    assertThat(announced).isEmpty();
    assertThat(saved).hasSize(1);
    assertThat(refused).containsExactly(Reason.UNSIGNED);
    assertThat(subscriber.refusal()).isEqualTo("revision 4 is not signed");
  }

  @Test
  @DisplayName("an empty complete set removes the tenants only if it is signed")
  void anEmptySet() {
    Subscriber subscriber = synced();
    subscriber.received(unsigned(subscriber, 4, List.of()));
    assertThat(announced).isEmpty();
    subscriber.received(Deltas.between(subscriber.held(), 4, List.of()));
    assertThat(announced).containsExactly(Policy.of(4, List.of()));
  }

  @Test
  void operatorsSeeARefusalUntilAGoodPolicyComes() {
    Subscriber subscriber = synced();
    Ack ack = Ack.newBuilder().setAppliedRevision(3).setHeldRevision(3).build();
    subscriber.applied(ack);
    subscriber.received(unsigned(subscriber, 4, MOVED));
    Ack told = subscriber.sendableAck().orElseThrow();
    assertThat(told.getAppliedRevision()).isEqualTo(3);
    assertThat(told.getProblemsList())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.getName()).isEqualTo("dpus/d1");
              assertThat(problem.getState()).isEqualTo(ResourceState.RESOURCE_STATE_REJECTED);
              assertThat(problem.getReason()).isEqualTo("policy refused: revision 4 is not signed");
            });
    subscriber.received(Deltas.between(subscriber.held(), 4, MOVED));
    assertThat(subscriber.refusal()).isEmpty();
    assertThat(subscriber.sendableAck()).contains(ack);
  }

  @Test
  void aRefusedFirstPolicyIsSaidAlthoughThereIsNothingToAck() {
    Subscriber subscriber = subscriber();
    assertThat(subscriber.sendableAck()).isEmpty();
    subscriber.received(unsigned(subscriber, 4, MOVED));
    assertThat(subscriber.sendableAck().orElseThrow().getProblemsCount()).isEqualTo(1);
  }

  @Test
  void theNewestRevisionHoldsAcrossARestart() throws IOException {
    Subscriber before = synced();
    before.received(Deltas.between(before.held(), 9, ONE_PORT));
    PolicyStore store = new PolicyStore(folder);
    store.save(saved.get(saved.size() - 1));
    Subscriber restarted = subscriber();
    restarted.restore(store);
    announced.clear();
    restarted.received(Deltas.between(restarted.held(), 8, MOVED));
    assertThat(refused).containsExactly(Reason.OLDER);
    assertThat(announced).isEmpty();
    restarted.received(Deltas.between(restarted.held(), 9, MOVED));
    assertThat(announced).hasSize(1);
  }

  @Test
  void anotherKeyOfTheSameStateIsWrittenToDisk() {
    Seals next = new Seals();
    Subscriber subscriber =
        new Subscriber(
            this,
            saved::add,
            new PolicyTrust(
                Seals.DPU,
                () -> {
                  var keys = new java.util.HashMap<>(Seals.TRUSTED.keys());
                  keys.putAll(next.keys());
                  return keys;
                }));
    Delta first = Deltas.between(HeldPolicy.NONE, 3, ONE_PORT);
    subscriber.received(first);
    subscriber.persisted(3);
    subscriber.received(
        Deltas.between(subscriber.held(), 3, ONE_PORT).toBuilder()
            .setSeal(next.seal(3, first.getInventoryHash()))
            .build());
    assertThat(saved).hasSize(2);
    assertThat(saved.get(1).getSeal()).isNotEqualTo(saved.get(0).getSeal());
  }

  @Test
  @DisplayName("a file with a good checksum and another content is treated like a corrupt one")
  void aTamperedFile() throws IOException {
    synced();
    StoredPolicy good = saved.get(0);
    List<StoredPolicy> tampered =
        List.of(
            good.toBuilder().clearSeal().build(),
            good.toBuilder().setRevision(99).build(),
            good.toBuilder().clearResources().addAllResources(MOVED).build(),
            good.toBuilder().removeResources(1).build(),
            good.toBuilder()
                .setResources(
                    1, MOVED.get(1).toBuilder().setVersion(ONE_PORT.get(1).getVersion()).build())
                .build(),
            good.toBuilder()
                .setSeal(
                    Seals.TRUSTED.seal(
                        new DpuName("d2"), 3, HeldPolicy.of(3, ONE_PORT).inventoryHash()))
                .build());
    for (StoredPolicy bad : tampered) {
      PolicyStore store = new PolicyStore(folder);
      store.save(bad);
      Subscriber restarted = subscriber();
      restarted.restore(store);
      assertThat(announced).isEmpty();
      assertThat(restarted.hello().getHeldRevision()).isZero();
      assertThat(restarted.refusal()).startsWith("on disk: ");
      assertThat(folder.resolve("policy.bin")).doesNotExist();
      assertThat(folder.resolve("policy.bin.corrupt")).exists();
    }
    assertThat(refused)
        .containsExactly(
            Reason.UNSIGNED,
            Reason.BAD_SIGNATURE,
            Reason.BAD_SIGNATURE,
            Reason.BAD_SIGNATURE,
            Reason.ALTERED,
            Reason.BAD_SIGNATURE);
  }

  @Test
  @DisplayName("without its keys a file is not used, and not thrown away either")
  void missingKeys() throws IOException {
    synced();
    PolicyStore store = new PolicyStore(folder);
    store.save(saved.get(0));
    Subscriber restarted =
        new Subscriber(
            this,
            saved::add,
            new PolicyTrust(
                Seals.DPU,
                () -> {
                  throw new IOException("policy-keys.pem is not there");
                }));
    restarted.restore(store);
    assertThat(announced).isEmpty();
    assertThat(refused).containsExactly(Reason.UNKNOWN_KEY);
    assertThat(restarted.refusal()).contains("policy-keys.pem is not there");
    Subscriber later = subscriber();
    later.restore(store);
    assertThat(announced).hasSize(1);
    assertThat(Files.exists(folder.resolve("policy.bin.corrupt"))).isFalse();
  }
}
