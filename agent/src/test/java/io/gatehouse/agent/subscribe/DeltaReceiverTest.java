package io.gatehouse.agent.subscribe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.state.Problem;
import io.gatehouse.agent.subscribe.DeltaReceiver.Outcome;
import io.gatehouse.agent.subscribe.PolicyRefusedException.Reason;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.Delta;
import io.gatehouse.proto.v1.LocalPortPolicy;
import io.gatehouse.proto.v1.PolicyResource;
import io.gatehouse.proto.v1.PolicySeal;
import io.gatehouse.wire.PolicyVersions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class DeltaReceiverTest {
  private static final List<PolicyResource> TWO_PORTS =
      Deltas.messages(
          Policies.network("a/n", 1, "10.0.0.0/24"),
          Policies.localPort("a/n/p", "f0", "02:00:00:00:00:01", "10.0.0.1"),
          Policies.localPort("a/n/q", "f1", "02:00:00:00:00:02", "10.0.0.2"));
  private static final List<PolicyResource> ONE_PORT = TWO_PORTS.subList(0, 2);
  private static final List<PolicyResource> MOVED =
      Deltas.messages(
          Policies.network("a/n", 1, "10.0.0.0/24"),
          Policies.localPort("a/n/p", "f7", "02:00:00:00:00:01", "10.0.0.1"));

  private final HeldPolicy held = HeldPolicy.of(5, TWO_PORTS);
  private final DeltaReceiver receiver = new DeltaReceiver(held, Seals.TRUSTED.trust());

  @Test
  void oneMessageIsTaken() throws PolicyRefusedException {
    assertThat(receiver.receive(Deltas.between(held, 6, MOVED))).isEqualTo(Outcome.COMPLETE);
    assertThat(receiver.held()).isEqualTo(HeldPolicy.of(6, MOVED));
  }

  @Test
  @DisplayName("F14: nothing is added or removed before the last message")
  void nothingBeforeComplete() throws PolicyRefusedException {
    List<Delta> parts = Deltas.parts(held, 6, MOVED);
    for (Delta part : parts.subList(0, parts.size() - 1)) {
      assertThat(receiver.receive(part)).isEqualTo(Outcome.STAGED);
      assertThat(receiver.held()).isSameAs(held);
    }
    assertThat(receiver.receive(parts.get(parts.size() - 1))).isEqualTo(Outcome.COMPLETE);
    assertThat(receiver.held()).isEqualTo(HeldPolicy.of(6, MOVED));
  }

  @Test
  @DisplayName("F40: a stream that breaks in the middle leaves what was held, and can start anew")
  void aBrokenSnapshotLeavesNothing() throws PolicyRefusedException {
    List<Delta> parts = Deltas.parts(held, 6, MOVED);
    receiver.receive(parts.get(0));
    receiver.reset();
    assertThat(receiver.held()).isSameAs(held);
    assertThat(receiver.receive(Deltas.between(held, 7, ONE_PORT))).isEqualTo(Outcome.COMPLETE);
    assertThat(receiver.held()).isEqualTo(HeldPolicy.of(7, ONE_PORT));
  }

  @Test
  void anEmptyCompleteSetRemovesAll() throws PolicyRefusedException {
    assertThat(receiver.receive(Deltas.between(held, 6, List.of()))).isEqualTo(Outcome.COMPLETE);
    assertThat(receiver.held().policy().localPorts()).isEmpty();
  }

  @Test
  void aChangeOfSomethingElseIsNotTaken() throws PolicyRefusedException {
    Delta other = Deltas.between(HeldPolicy.of(4, ONE_PORT), 6, MOVED);
    assertThat(receiver.receive(other)).isEqualTo(Outcome.MISMATCH);
    assertThat(receiver.held()).isSameAs(held);
  }

  @Test
  void aChangeFromWhateverIsHeldIsTaken() throws PolicyRefusedException {
    Delta delta = Deltas.between(held, 6, ONE_PORT).toBuilder().setFromRevision(0).build();
    assertThat(receiver.receive(delta)).isEqualTo(Outcome.COMPLETE);
  }

  @Test
  void anotherHashIsNotTaken() throws PolicyRefusedException {
    Delta delta =
        Deltas.between(held, 6, ONE_PORT).toBuilder()
            .setInventoryHash(ByteString.copyFrom(new byte[32]))
            .build();
    assertThat(receiver.receive(delta)).isEqualTo(Outcome.MISMATCH);
    assertThat(receiver.held()).isSameAs(held);
  }

  @Test
  void twoDeltasAreNotMixed() throws PolicyRefusedException {
    assertThat(receiver.receive(Deltas.parts(held, 6, MOVED).get(0))).isEqualTo(Outcome.STAGED);
    assertThat(receiver.receive(Deltas.between(held, 7, ONE_PORT))).isEqualTo(Outcome.MISMATCH);
    assertThat(receiver.held()).isSameAs(held);
    assertThat(receiver.receive(Deltas.between(held, 7, ONE_PORT))).isEqualTo(Outcome.COMPLETE);
  }

  @Test
  @DisplayName("F32: the removal of an older incarnation leaves the newer one")
  void aLateRemovalLeavesTheNewer() throws PolicyRefusedException {
    PolicyResource newer = MOVED.get(1);
    long older = ONE_PORT.get(1).getVersion();
    HeldPolicy there = HeldPolicy.of(6, MOVED);
    DeltaReceiver late = new DeltaReceiver(there, Seals.TRUSTED.trust());
    Delta delta =
        Delta.newBuilder()
            .setFromRevision(6)
            .setToRevision(7)
            .addRemovals(Deltas.removal(newer.getName(), older))
            .setComplete(true)
            .setInventoryHash(there.inventoryHash())
            .setSeal(Seals.TRUSTED.seal(7, there.inventoryHash()))
            .build();
    assertThat(late.receive(delta)).isEqualTo(Outcome.COMPLETE);
    assertThat(late.held().versions()).isEqualTo(there.versions());
  }

  @Test
  @DisplayName("F32: removed and made again under its name in one Delta")
  void removedAndMadeAgain() throws PolicyRefusedException {
    Delta delta =
        Deltas.between(HeldPolicy.of(5, TWO_PORTS), 6, MOVED).toBuilder()
            .addRemovals(Deltas.removal(ONE_PORT.get(1).getName(), ONE_PORT.get(1).getVersion()))
            .build();
    assertThat(receiver.receive(delta)).isEqualTo(Outcome.COMPLETE);
    assertThat(receiver.held()).isEqualTo(HeldPolicy.of(6, MOVED));
  }

  @Test
  @DisplayName("F41: a bad resource is refused alone, and both sides agree on what is held")
  void aBadResourceIsRefusedAlone() throws PolicyRefusedException {
    PolicyResource bad =
        PolicyVersions.withVersion(
            PolicyResource.newBuilder()
                .setName("tenants/a/networks/n/ports/bad")
                .setLocalPort(LocalPortPolicy.newBuilder().setUid("u").setFunction("f3"))
                .build());
    List<PolicyResource> with = new ArrayList<>(TWO_PORTS);
    with.add(bad);
    assertThat(receiver.receive(Deltas.between(held, 6, with))).isEqualTo(Outcome.COMPLETE);
    assertThat(receiver.held().policy().localPorts()).hasSize(2);
    assertThat(receiver.held().versions()).containsKey(bad.getName());
    List<Problem> problems = receiver.held().problems();
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0).resource()).isEqualTo(bad.getName());
    assertThat(problems.get(0).reason()).startsWith("local_port.mac_address");
    assertThat(receiver.receive(Deltas.between(receiver.held(), 7, ONE_PORT)))
        .isEqualTo(Outcome.COMPLETE);
    assertThat(receiver.held().problems()).isEmpty();
  }

  @Test
  void theOrderOfPartsDoesNotMatter() throws PolicyRefusedException {
    List<Delta> parts = new ArrayList<>(Deltas.parts(held, 6, MOVED));
    Delta last = parts.remove(parts.size() - 1);
    for (int seed = 0; seed < 10; seed++) {
      DeltaReceiver other = new DeltaReceiver(held, Seals.TRUSTED.trust());
      Collections.shuffle(parts, new Random(seed));
      for (Delta part : parts) {
        other.receive(part);
      }
      assertThat(other.receive(last)).isEqualTo(Outcome.COMPLETE);
      assertThat(other.held()).isEqualTo(HeldPolicy.of(6, MOVED));
    }
  }

  @Test
  void nothingIsTakenWithoutASeal() {
    Delta sealed = Deltas.between(held, 6, MOVED);
    assertRefused(Reason.UNSIGNED, sealed.toBuilder().clearSeal().build());
  }

  @Test
  @DisplayName("an empty complete set removes nothing unless it is signed")
  void anEmptySetWithoutASeal() {
    assertRefused(
        Reason.UNSIGNED, Deltas.between(held, 6, List.of()).toBuilder().clearSeal().build());
    assertThat(receiver.held().policy().localPorts()).hasSize(2);
  }

  @Test
  void anotherSignersSealIsRefused() {
    Delta sealed = Deltas.between(held, 6, MOVED);
    assertRefused(
        Reason.UNKNOWN_KEY,
        sealed.toBuilder().setSeal(new Seals().seal(6, sealed.getInventoryHash())).build());
    PolicySeal foreign = new Seals().seal(6, sealed.getInventoryHash());
    assertRefused(
        Reason.BAD_SIGNATURE,
        sealed.toBuilder()
            .setSeal(foreign.toBuilder().setKeyId(sealed.getSeal().getKeyId()))
            .build());
  }

  @Test
  void theSealOfAnotherDpuRevisionOrContentIsRefused() {
    Delta sealed = Deltas.between(held, 6, MOVED);
    ByteString hash = sealed.getInventoryHash();
    for (PolicySeal seal :
        List.of(
            Seals.TRUSTED.seal(new DpuName("d2"), 6, hash),
            Seals.TRUSTED.seal(5, hash),
            Seals.TRUSTED.seal(7, hash),
            Seals.TRUSTED.seal(6, held.inventoryHash()),
            sealed.getSeal().toBuilder().setSignature(ByteString.copyFrom(new byte[64])).build(),
            sealed.getSeal().toBuilder().setSignature(ByteString.copyFrom(new byte[7])).build())) {
      assertRefused(Reason.BAD_SIGNATURE, sealed.toBuilder().setSeal(seal).build());
    }
  }

  @Test
  void aGoodSealOfAnOlderRevisionIsRefused() {
    assertRefused(Reason.OLDER, Deltas.between(held, 4, MOVED));
    assertRefused(
        Reason.OLDER, Deltas.between(held, 4, MOVED).toBuilder().setFromRevision(0).build());
  }

  @Test
  @DisplayName("a changed body under its old version does not pass, though hash and seal fit")
  void anAlteredBodyIsRefused() {
    Delta sealed = Deltas.between(held, 6, MOVED);
    PolicyResource changed =
        TWO_PORTS.get(1).toBuilder().setVersion(MOVED.get(1).getVersion()).build();
    assertThat(sealed.getUpserts(0).getName()).isEqualTo(changed.getName());
    assertRefused(Reason.ALTERED, sealed.toBuilder().setUpserts(0, changed).build());
  }

  @Test
  void afterARefusalTheHonestOneIsTaken() throws PolicyRefusedException {
    Delta sealed = Deltas.between(held, 6, MOVED);
    List<Delta> parts = Deltas.parts(held, 6, MOVED);
    receiver.receive(parts.get(0));
    assertRefused(Reason.OLDER, Deltas.between(held, 4, ONE_PORT));
    assertThat(receiver.receive(sealed)).isEqualTo(Outcome.COMPLETE);
  }

  private void assertRefused(Reason reason, Delta delta) {
    assertThatThrownBy(() -> receiver.receive(delta))
        .isInstanceOfSatisfying(
            PolicyRefusedException.class, e -> assertThat(e.reason()).isEqualTo(reason));
    assertThat(receiver.held()).isSameAs(held);
  }
}
