package io.gatehouse.agent.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.fixture.CountingMeter;
import io.gatehouse.agent.fixture.FakeDevices;
import io.gatehouse.agent.fixture.FakeDevices.Part;
import io.gatehouse.agent.fixture.Groups;
import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.fixture.RandomPolicies;
import io.gatehouse.agent.reconcile.Reconciler.Outcome;
import io.gatehouse.agent.reconcile.Reconciler.Round;
import io.gatehouse.agent.state.Cookies;
import io.gatehouse.agent.state.Health;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.Problem;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.PolicyResource;
import io.gatehouse.model.security.RateLimits;
import io.gatehouse.model.security.RateLimits.Rate;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Limits of zones through the loop: there before the first connection is tracked, gone after the
 * last, or the port closed. The devices refuse a flow that tracks where there is no limit.
 */
final class ReconcileConnectionLimitsTest {
  private static final int MAX_ROUNDS = 12;
  private static final long DEFAULT = RateLimits.DEFAULT_CONNECTIONS;
  private static final PolicyResource NETWORK = Policies.network("a/n", 7, "10.0.0.0/24");
  private static final PolicyResource GROUP =
      Groups.group("a/g", Groups.in(Groups.tcp(80, 80), Groups.ANYWHERE));
  private static final LocalPortPolicy OPEN =
      Policies.localPort("a/n/open", "f1", "02:00:00:00:00:02", "10.0.0.2");
  private static final LocalPortPolicy WEB =
      Groups.with(Policies.localPort("a/n/web", "f0", "02:00:00:00:00:01", "10.0.0.1"), "a/g");

  private final FakeDevices devices = new FakeDevices();
  private final CountingMeter meter = new CountingMeter();
  private final Reconciler reconciler = new Reconciler(RandomPolicies.SITE, devices, meter);
  private long revision;

  @BeforeEach
  void plug() {
    devices.plug("f0", "rep0");
    devices.plug("f1", "rep1");
  }

  private static LocalPortPolicy limited(int connections) {
    return Policies.limited(WEB, new RateLimits(Rate.NONE, Rate.NONE, 0, connections));
  }

  private Target target(PolicyResource... resources) {
    revision++;
    return new Target(Policy.of(revision, List.of(resources)), List.of(), 0);
  }

  private Health settle(PolicyResource... resources) throws InterruptedException {
    return settle(target(resources));
  }

  private Health settle(Target target) throws InterruptedException {
    for (int i = 0; i < MAX_ROUNDS; i++) {
      Round round = reconciler.run(target, 1);
      if (round.outcome() == Outcome.IN_FORCE) {
        return round.health();
      }
    }
    throw new AssertionError("not in force after " + MAX_ROUNDS + " rounds");
  }

  private boolean isOpen(LocalPortPolicy port) {
    return devices.flows().flows().stream().anyMatch(f -> f.cookie() == Cookies.of(port.key()));
  }

  @Test
  void everyTrackedPortHasALimitAndNoOther() throws InterruptedException {
    settle(NETWORK, GROUP, OPEN, WEB);
    assertThat(devices.limits().limits()).hasSize(1).containsEntry(1, DEFAULT);
  }

  @Test
  void aLimitThatChangesTouchesNothingElse() throws InterruptedException {
    settle(NETWORK, GROUP, limited(20));
    assertThat(devices.limits().limits()).containsEntry(1, 20L);
    devices.writes().clear();
    Target thirty = target(NETWORK, GROUP, limited(30));
    settle(thirty);
    settle(thirty);
    assertThat(devices.writes()).containsExactly("LIMITS 1");
    assertThat(devices.limits().limits()).containsEntry(1, 30L);
  }

  @Test
  void aLimitEndsWithItsPortAndThoseOfOthersStay() throws InterruptedException {
    devices.limits().limits().put(77, 5L);
    settle(NETWORK, GROUP, WEB);
    settle(NETWORK, GROUP);
    assertThat(devices.limits().limits()).hasSize(1).containsEntry(77, 5L);
  }

  @Test
  void aLimitThatSomebodyTakesOrChangesComesBack() throws InterruptedException {
    Target target = target(NETWORK, GROUP, WEB);
    settle(target);
    devices.limits().limits().clear();
    settle(target);
    assertThat(devices.limits().limits()).containsEntry(1, DEFAULT);
    devices.limits().limits().put(1, 1L);
    settle(target);
    assertThat(devices.limits().limits()).containsEntry(1, DEFAULT);
    assertThat(meter.drifts).isEqualTo(2);
  }

  @Test
  void aSwitchThatIsStartedAgainGetsThemBeforeItsFlows() throws InterruptedException {
    Target target = target(NETWORK, GROUP, WEB);
    settle(target);
    devices.restartSwitch();
    settle(target);
    assertThat(devices.limits().limits()).containsEntry(1, DEFAULT);
    assertThat(isOpen(WEB)).isTrue();
  }

  @Test
  void aPortThatCannotBeHeldToItsLimitIsClosedAlone() throws InterruptedException {
    devices.limits().refuse(1, "dpctl/ct-set-limits: no");
    Health health = settle(NETWORK, GROUP, OPEN, WEB);
    assertThat(health.problems())
        .containsExactly(
            Problem.pending(
                WEB.key(), "the limit connections cannot be enforced: dpctl/ct-set-limits: no"));
    assertThat(isOpen(WEB)).isFalse();
    assertThat(isOpen(OPEN)).isTrue();
  }

  @Test
  void aDatapathWithoutSuchLimitsSaysSo() throws InterruptedException {
    devices.limits().unable("this datapath has none");
    Health health = settle(NETWORK, GROUP, OPEN, WEB);
    assertThat(health.problems())
        .containsExactly(
            Problem.pending(
                WEB.key(), "the limit connections cannot be enforced: this datapath has none"));
    assertThat(isOpen(WEB)).isFalse();
    assertThat(isOpen(OPEN)).isTrue();
  }

  @Test
  void nothingIsTrackedWhileLimitsAreUnknown() throws InterruptedException {
    devices.unreadable(Part.LIMITS);
    Target target = target(NETWORK, GROUP, OPEN, WEB);
    for (int i = 0; i < MAX_ROUNDS; i++) {
      assertThat(reconciler.run(target, 1).outcome()).isNotEqualTo(Outcome.IN_FORCE);
    }
    assertThat(isOpen(WEB)).isFalse();
    assertThat(isOpen(OPEN)).as("what is not tracked needs no limit").isTrue();
    devices.unreadable();
    settle(target);
    assertThat(isOpen(WEB)).isTrue();
  }
}
