package io.gatehouse.agent.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.fixture.CountingMeter;
import io.gatehouse.agent.fixture.FakeDevices;
import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.fixture.RandomPolicies;
import io.gatehouse.agent.flow.RateMeter;
import io.gatehouse.agent.flow.RateMeter.Unit;
import io.gatehouse.agent.reconcile.Reconciler.Outcome;
import io.gatehouse.agent.reconcile.Reconciler.Round;
import io.gatehouse.agent.state.Cookies;
import io.gatehouse.agent.state.Health;
import io.gatehouse.agent.state.MeterKind;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.Problem;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.NetworkPolicy;
import io.gatehouse.model.policy.PolicyResource;
import io.gatehouse.model.security.RateLimits;
import io.gatehouse.model.security.RateLimits.Rate;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Meters through the loop: there before the flows that need them, gone after, or the port closed.
 */
final class ReconcileMetersTest {
  private static final int MAX_ROUNDS = 12;
  private static final NetworkPolicy NETWORK = Policies.network("a/n", 7, "10.0.0.0/24");
  private static final LocalPortPolicy DB =
      Policies.localPort("a/n/db", "f0", "02:00:00:00:00:02", "10.0.0.2");
  private static final LocalPortPolicy WEB =
      Policies.localPort("a/n/web", "f1", "02:00:00:00:00:01", "10.0.0.1");

  private final FakeDevices devices = new FakeDevices();
  private final CountingMeter meter = new CountingMeter();
  private final Reconciler reconciler = new Reconciler(RandomPolicies.SITE, devices, meter);
  private long revision;

  @BeforeEach
  void plug() {
    devices.plug("f0", "rep0");
    devices.plug("f1", "rep1");
  }

  private static LocalPortPolicy limited(int megabits) {
    return Policies.limited(WEB, new RateLimits(new Rate(megabits, 0, 0, 0), Rate.NONE, 0, 0));
  }

  private Health settle(PolicyResource... resources) throws InterruptedException {
    revision++;
    Target target = new Target(Policy.of(revision, List.of(resources)), List.of(), 0);
    for (int i = 0; i < MAX_ROUNDS; i++) {
      Round round = reconciler.run(target, 1);
      if (round.outcome() == Outcome.IN_FORCE) {
        return round.health();
      }
    }
    throw new AssertionError("not in force after " + MAX_ROUNDS + " rounds");
  }

  private int id(MeterKind kind) {
    return kind.id(reconciler.view().facts().openFlowPort("rep1").orElseThrow());
  }

  private boolean isOpen(LocalPortPolicy port) {
    return devices.flows().flows().stream().anyMatch(f -> f.cookie() == Cookies.of(port.key()));
  }

  @Test
  void aLimitThatChangesTouchesNoFlow() throws InterruptedException {
    settle(NETWORK, DB, limited(20));
    devices.writes().clear();
    settle(NETWORK, DB, limited(30));
    assertThat(devices.writes()).containsExactly("METERS 1");
    int id = id(MeterKind.EGRESS_BITS);
    assertThat(devices.meters().meters().get(id))
        .isEqualTo(new RateMeter(id, Unit.KILOBITS, 30_000, 7_500));
  }

  @Test
  void aPortThatCannotBeHeldToItsLimitIsClosedAlone() throws InterruptedException {
    settle(NETWORK, DB, WEB);
    devices.meters().refuse(id(MeterKind.EGRESS_BITS), "the bridge says OFPMMFC_BAD_RATE");
    Health health = settle(NETWORK, DB, limited(20));
    assertThat(health.problems())
        .containsExactly(
            Problem.pending(
                WEB.key(),
                "the limit egress_bits cannot be enforced: the bridge says OFPMMFC_BAD_RATE"));
    assertThat(isOpen(WEB)).isFalse();
    assertThat(isOpen(DB)).isTrue();
    assertThat(devices.meters().meters()).doesNotContainKey(id(MeterKind.BROADCAST));
    assertThat(settle(NETWORK, DB, WEB).problems()).isEmpty();
    assertThat(isOpen(WEB)).isTrue();
  }

  @Test
  void aSwitchWithoutRoomForMetersOpensNothing() throws InterruptedException {
    // As many as one port has, and the tests of tunnels.
    devices.meters().room(4);
    Health health = settle(NETWORK, DB, WEB);
    assertThat(health.problems()).hasSize(1);
    assertThat(health.problems().get(0).reason())
        .isEqualTo("the limit broadcast cannot be enforced: the switch has room for 4 meters");
    assertThat(isOpen(DB)).isNotEqualTo(isOpen(WEB));
  }

  @Test
  void aMeterThatSomebodyTakesOrChangesComesBackWithItsFlows() throws InterruptedException {
    settle(NETWORK, DB, limited(20));
    int id = id(MeterKind.EGRESS_BITS);
    devices.meters().delete(id, devices.flows());
    settle(NETWORK, DB, limited(20));
    assertThat(devices.meters().meters()).containsKey(id);
    devices.meters().meters().put(id, new RateMeter(id, Unit.KILOBITS, 1, 1));
    settle(NETWORK, DB, limited(20));
    assertThat(devices.meters().meters().get(id).rate()).isEqualTo(20_000);
    devices.meters().putStrange(id);
    settle(NETWORK, DB, limited(20));
    assertThat(devices.meters().meters()).containsKey(id);
    assertThat(isOpen(WEB)).isTrue();
  }

  @Test
  void aMeterThatIsNotPlannedGoesUnlessItIsTheSwitchesOwn() throws InterruptedException {
    settle(NETWORK, DB);
    devices.meters().meters().put(99, new RateMeter(99, Unit.PACKETS, 1, 1));
    devices.meters().putStrange(0xffff_fffe);
    settle(NETWORK, DB);
    assertThat(devices.meters().meters()).doesNotContainKey(99);
    assertThat(devices.meters().hasStrange(0xffff_fffe)).isTrue();
  }

  @Test
  void nothingIsOpenedWhileMetersAreUnknown() throws InterruptedException {
    settle(NETWORK, DB);
    devices.unreadable(FakeDevices.Part.METERS);
    Target both = new Target(Policy.of(9, List.of(NETWORK, DB, WEB)), List.of(), 0);
    for (int i = 0; i < MAX_ROUNDS; i++) {
      assertThat(reconciler.run(both, 1).outcome()).isNotEqualTo(Outcome.IN_FORCE);
    }
    assertThat(isOpen(WEB)).isFalse();
    assertThat(isOpen(DB)).isTrue();
    Target none = new Target(Policy.of(10, List.of(NETWORK)), List.of(), 0);
    reconciler.run(none, 1);
    assertThat(isOpen(DB)).as("closing waits for nothing").isFalse();
  }
}
