package io.gatehouse.agent.subscribe;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.gatehouse.agent.fixture.RandomPolicies;
import io.gatehouse.proto.v1.Delta;
import io.gatehouse.proto.v1.PolicyResource;
import io.gatehouse.wire.PolicyVersions;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Damaged messages: whatever can still be parsed is taken, refused or held as unreadable. */
final class SubscriberFuzzTest {
  private static final int ROUNDS = 3_000;

  // Whether it is the very policy that was held, not an equal one.
  @SuppressWarnings("ReferenceEquality")
  @Test
  void damagedDeltasNeverThrow() {
    int parsed = 0;
    for (long seed = 0; seed < ROUNDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<PolicyResource> resources = resources(random);
      Subscriber subscriber = subscriber();
      subscriber.received(Deltas.between(HeldPolicy.NONE, 1, resources));
      HeldPolicy before = subscriber.held();
      Delta good = Deltas.between(before, 2, resources(random));
      byte[] bytes = damaged(good.toByteArray(), random);
      try {
        Delta delta = Delta.parseFrom(bytes);
        parsed++;
        subscriber.received(delta);
        boolean taken = subscriber.held() != before;
        assertThat(taken && !delta.getComplete()).as("seed %d", seed).isFalse();
        if (taken) {
          assertThat(subscriber.held().inventoryHash()).isEqualTo(delta.getInventoryHash());
        }
      } catch (InvalidProtocolBufferException e) {
        // As it should be: gRPC ends the stream.
        assertThat(subscriber.held()).isSameAs(before);
      }
    }
    assertThat(parsed).as("deltas that could still be parsed").isGreaterThan(ROUNDS / 20);
  }

  @Test
  @DisplayName("F41: a damaged resource in a consistent Delta is refused alone")
  void damagedResourcesAreHeldAsUnreadable() {
    for (long seed = 0; seed < ROUNDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<PolicyResource> resources = new ArrayList<>(resources(random));
      if (resources.isEmpty()) {
        continue;
      }
      int victim = random.nextInt(resources.size());
      PolicyResource good = resources.get(victim);
      try {
        PolicyResource bad = PolicyResource.parseFrom(damaged(good.toByteArray(), random));
        resources.set(
            victim, PolicyVersions.withVersion(bad.toBuilder().setName(good.getName()).build()));
      } catch (InvalidProtocolBufferException e) {
        continue;
      }
      Subscriber subscriber = subscriber();
      assertThat(subscriber.received(Deltas.between(HeldPolicy.NONE, 1, resources)))
          .as("seed %d", seed)
          .isEmpty();
      assertThat(subscriber.held().resources()).as("seed %d", seed).hasSize(resources.size());
      assertThat(subscriber.held().problems().size()).as("seed %d", seed).isLessThanOrEqualTo(1);
    }
  }

  private static Subscriber subscriber() {
    return new Subscriber((policy, problems) -> {}, stored -> {}, Seals.TRUSTED.trust());
  }

  private static List<PolicyResource> resources(SplittableRandom random) {
    return new RandomPolicies(random).resources().stream().map(Deltas::message).toList();
  }

  private static byte[] damaged(byte[] bytes, SplittableRandom random) {
    byte[] damaged = bytes.clone();
    for (int i = 0; i < 1 + random.nextInt(3) && damaged.length > 0; i++) {
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return damaged;
  }
}
