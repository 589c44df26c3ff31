package io.gatehouse.agent.subscribe;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.state.Problem;
import io.gatehouse.agent.subscribe.DeltaReceiver.Outcome;
import io.gatehouse.proto.v1.Delta;
import io.gatehouse.proto.v1.LocalPortPolicy;
import io.gatehouse.proto.v1.PolicyResource;
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
  private final DeltaReceiver receiver = new DeltaReceiver(held);

  @Test
  void oneMessageIsTaken() {
    assertThat(receiver.receive(Deltas.between(held, 6, MOVED))).isEqualTo(Outcome.COMPLETE);
    assertThat(receiver.held()).isEqualTo(HeldPolicy.of(6, MOVED));
  }

  @Test
  @DisplayName("F14: nothing is added or removed before the last message")
  void nothingBeforeComplete() {
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
  void aBrokenSnapshotLeavesNothing() {
    List<Delta> parts = Deltas.parts(held, 6, MOVED);
    receiver.receive(parts.get(0));
    receiver.reset();
    assertThat(receiver.held()).isSameAs(held);
    assertThat(receiver.receive(Deltas.between(held, 7, ONE_PORT))).isEqualTo(Outcome.COMPLETE);
    assertThat(receiver.held()).isEqualTo(HeldPolicy.of(7, ONE_PORT));
  }

  @Test
  void anEmptyCompleteSetRemovesAll() {
    assertThat(receiver.receive(Deltas.between(held, 6, List.of()))).isEqualTo(Outcome.COMPLETE);
    assertThat(receiver.held().policy().localPorts()).isEmpty();
  }

  @Test
  void aChangeOfSomethingElseIsNotTaken() {
    Delta other = Deltas.between(HeldPolicy.of(4, ONE_PORT), 6, MOVED);
    assertThat(receiver.receive(other)).isEqualTo(Outcome.MISMATCH);
    assertThat(receiver.held()).isSameAs(held);
  }

  @Test
  void aChangeFromWhateverIsHeldIsTaken() {
    Delta delta = Deltas.between(held, 6, ONE_PORT).toBuilder().setFromRevision(0).build();
    assertThat(receiver.receive(delta)).isEqualTo(Outcome.COMPLETE);
  }

  @Test
  void anotherHashIsNotTaken() {
    Delta delta =
        Deltas.between(held, 6, ONE_PORT).toBuilder()
            .setInventoryHash(ByteString.copyFrom(new byte[32]))
            .build();
    assertThat(receiver.receive(delta)).isEqualTo(Outcome.MISMATCH);
    assertThat(receiver.held()).isSameAs(held);
  }

  @Test
  void twoDeltasAreNotMixed() {
    assertThat(receiver.receive(Deltas.parts(held, 6, MOVED).get(0))).isEqualTo(Outcome.STAGED);
    assertThat(receiver.receive(Deltas.between(held, 7, ONE_PORT))).isEqualTo(Outcome.MISMATCH);
    assertThat(receiver.held()).isSameAs(held);
    assertThat(receiver.receive(Deltas.between(held, 7, ONE_PORT))).isEqualTo(Outcome.COMPLETE);
  }

  @Test
  @DisplayName("F32: the removal of an older incarnation leaves the newer one")
  void aLateRemovalLeavesTheNewer() {
    PolicyResource newer = MOVED.get(1);
    long older = ONE_PORT.get(1).getVersion();
    HeldPolicy there = HeldPolicy.of(6, MOVED);
    DeltaReceiver late = new DeltaReceiver(there);
    Delta delta =
        Delta.newBuilder()
            .setFromRevision(6)
            .setToRevision(7)
            .addRemovals(Deltas.removal(newer.getName(), older))
            .setComplete(true)
            .setInventoryHash(there.inventoryHash())
            .build();
    assertThat(late.receive(delta)).isEqualTo(Outcome.COMPLETE);
    assertThat(late.held().versions()).isEqualTo(there.versions());
  }

  @Test
  @DisplayName("F32: removed and made again under its name in one Delta")
  void removedAndMadeAgain() {
    Delta delta =
        Deltas.between(HeldPolicy.of(5, TWO_PORTS), 6, MOVED).toBuilder()
            .addRemovals(Deltas.removal(ONE_PORT.get(1).getName(), ONE_PORT.get(1).getVersion()))
            .build();
    assertThat(receiver.receive(delta)).isEqualTo(Outcome.COMPLETE);
    assertThat(receiver.held()).isEqualTo(HeldPolicy.of(6, MOVED));
  }

  @Test
  @DisplayName("F41: a bad resource is refused alone, and both sides agree on what is held")
  void aBadResourceIsRefusedAlone() {
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
  void theOrderOfPartsDoesNotMatter() {
    List<Delta> parts = new ArrayList<>(Deltas.parts(held, 6, MOVED));
    Delta last = parts.remove(parts.size() - 1);
    for (int seed = 0; seed < 10; seed++) {
      DeltaReceiver other = new DeltaReceiver(held);
      Collections.shuffle(parts, new Random(seed));
      parts.forEach(other::receive);
      assertThat(other.receive(last)).isEqualTo(Outcome.COMPLETE);
      assertThat(other.held()).isEqualTo(HeldPolicy.of(6, MOVED));
    }
  }
}
