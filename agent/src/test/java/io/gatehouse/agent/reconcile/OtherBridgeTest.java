package io.gatehouse.agent.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.fixture.CountingMeter;
import io.gatehouse.agent.fixture.FakeDevices;
import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.fixture.RandomPolicies;
import io.gatehouse.agent.reconcile.Reconciler.Outcome;
import io.gatehouse.agent.state.Health;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.Problem;
import io.gatehouse.agent.state.Site;
import io.gatehouse.model.policy.PolicyResource;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Devices that the switch holds on another bridge, and a switch that cannot be read. */
final class OtherBridgeTest {
  private static final int MAX_ROUNDS = 12;
  private static final PolicyResource WEB =
      Policies.localPort("a/n/web", "f0", "02:00:00:00:00:01", "10.0.0.1");
  private static final PolicyResource DB =
      Policies.localPort("a/n/db", "f1", "02:00:00:00:00:02", "10.0.0.2");
  private static final Target BOTH =
      new Target(
          Policy.of(1, List.of(Policies.network("a/n", 7, "10.0.0.0/24"), WEB, DB)), List.of(), 0);

  private final FakeDevices devices = new FakeDevices();
  private final Reconciler reconciler =
      new Reconciler(RandomPolicies.SITE, devices, new CountingMeter());

  @BeforeEach
  void plug() {
    devices.plug("f0", "rep0");
    devices.plug("f1", "rep1");
  }

  private Health settle() throws InterruptedException {
    for (int i = 0; i < MAX_ROUNDS; i++) {
      Reconciler.Round round = reconciler.run(BOTH, 1);
      if (round.outcome() == Outcome.IN_FORCE) {
        return round.health();
      }
    }
    throw new AssertionError("not in force after " + MAX_ROUNDS + " rounds");
  }

  @Test
  @DisplayName("a device on a bridge of others keeps its port waiting, and no other port")
  void onlyItsPortWaits() throws InterruptedException {
    devices.bridge().occupy("rep0", "br-ex");
    assertThat(settle().problems())
        .containsExactly(
            Problem.pending(WEB.key(), "device rep0 is on bridge br-ex, which is not Gatehouse's"));
    assertThat(devices.bridge().devices()).containsExactly(Site.TUNNEL_PORT, "rep1");

    devices.bridge().free("rep0");
    assertThat(settle().problems()).isEmpty();
    assertThat(devices.bridge().devices()).containsExactly(Site.TUNNEL_PORT, "rep0", "rep1");
  }

  @Test
  @DisplayName("while the switch cannot be read, nobody is told that a port is missing there")
  void unknownIsNotMissing() throws InterruptedException {
    settle();
    devices.unreadable(FakeDevices.Part.BRIDGE);
    Health health = reconciler.run(BOTH, 1).health();
    assertThat(health.problems())
        .extracting(Problem::reason)
        .containsExactlyInAnyOrder(
            "whether the switch has device rep1 is unknown: BRIDGE is unreadable",
            "whether the switch has device rep0 is unknown: BRIDGE is unreadable");
  }
}
