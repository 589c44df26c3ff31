package io.gatehouse.agent.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.fixture.CountingMeter;
import io.gatehouse.agent.fixture.FakeDevices;
import io.gatehouse.agent.fixture.FakeDevices.Part;
import io.gatehouse.agent.fixture.Groups;
import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.fixture.RandomPolicies;
import io.gatehouse.agent.reconcile.Reconciler.Outcome;
import io.gatehouse.agent.state.Cookies;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.Problem;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.PolicyResource;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When the connections of a zone are forgotten, and when not, against strict devices. */
final class ConnectionZonesTest {
  private static final int MAX_ROUNDS = 12;
  private static final PolicyResource NETWORK = Policies.network("a/n", 7, "10.0.0.0/24");
  private static final PolicyResource GROUP =
      Groups.group("a/g", Groups.in(Groups.tcp(80, 80), Groups.ANYWHERE));
  private static final LocalPortPolicy OPEN =
      Policies.localPort("a/n/web", "f0", "02:00:00:00:00:01", "10.0.0.1");
  private static final LocalPortPolicy WEB = Groups.with(OPEN, "a/g");
  private static final LocalPortPolicy DB =
      Groups.with(Policies.localPort("a/n/db", "f1", "02:00:00:00:00:02", "10.0.0.2"), "a/g");

  private final FakeDevices devices = new FakeDevices();
  private Reconciler reconciler = reconciler();
  private long revision;

  @BeforeEach
  void plug() {
    devices.plug("f0", "rep0");
    devices.plug("f1", "rep1");
  }

  private Reconciler reconciler() {
    return new Reconciler(RandomPolicies.SITE, devices, new CountingMeter());
  }

  private Target target(PolicyResource... resources) {
    revision++;
    return new Target(Policy.of(revision, Arrays.asList(resources)), List.of(), 0);
  }

  private void settle(Target target) throws InterruptedException {
    for (int i = 0; i < MAX_ROUNDS; i++) {
      if (reconciler.run(target, 1).outcome() == Outcome.IN_FORCE) {
        return;
      }
    }
    throw new AssertionError("not in force after " + MAX_ROUNDS + " rounds");
  }

  @Test
  @DisplayName("F31: a restart of agent or switch flushes nothing")
  void aRestartFlushesNothing() throws InterruptedException {
    Target target = target(NETWORK, GROUP, WEB, DB);
    settle(target);
    assertThat(devices.flushed()).containsExactlyInAnyOrder(1, 2);
    devices.flushed().clear();

    reconciler = reconciler();
    settle(target);
    devices.restartSwitch();
    settle(target);
    settle(target(NETWORK, WEB, DB, Groups.group("a/g")));
    assertThat(devices.flushed()).isEmpty();
  }

  @Test
  @DisplayName("F30, F31: a zone is flushed when it gets another port, and no other zone with it")
  void aZoneIsFlushedBeforeItsNextPort() throws InterruptedException {
    settle(target(NETWORK, GROUP, WEB, DB));
    settle(target(NETWORK, GROUP, DB));
    devices.flushed().clear();
    settle(target(NETWORK, GROUP, WEB, DB));
    assertThat(devices.flushed()).containsExactly(1);
    devices.flushed().clear();
    settle(target(NETWORK, GROUP, Groups.reborn(WEB, "uid-2"), DB));
    assertThat(devices.flushed()).as("another port under the same name").containsExactly(3);
  }

  @Test
  void aPortIsClosedUntilItHasItsZone() throws InterruptedException {
    settle(target(NETWORK, OPEN));
    Target grouped = target(NETWORK, GROUP, WEB);
    Reconciler.Round round = reconciler.run(grouped, 1);
    assertThat(devices.flows().flows())
        .as("its flows of before let everything through")
        .noneMatch(flow -> flow.cookie() == Cookies.of(WEB.key()));
    assertThat(round.health().problems())
        .extracting(Problem::reason)
        .containsExactly("its connections have no zone of their own yet");
    settle(grouped);
    assertThat(devices.flows().flows()).anyMatch(flow -> flow.cookie() == Cookies.of(WEB.key()));
  }

  @Test
  void aPortWithGroupsWaitsForASwitchThatCanFlush() throws InterruptedException {
    reconciler.run(
        target(
            NETWORK,
            GROUP,
            WEB,
            Policies.localPort("a/n/db", "f1", "02:00:00:00:00:02", "10.0.0.2")),
        1);
    assertThat(devices.bridge().devices()).contains("rep1").doesNotContain("rep0");
    settle(target(NETWORK, GROUP, WEB, DB));
    assertThat(devices.bridge().devices()).contains("rep0");
    devices.unreadable(Part.FLOWS);
    reconciler.run(target(NETWORK, GROUP, Groups.reborn(WEB, "uid-2"), DB), 1);
    assertThat(devices.flushed()).hasSize(2);
  }

  @Test
  void aPortWithAGroupThatNobodyKnowsIsClosedAndRejected() throws InterruptedException {
    settle(target(NETWORK, GROUP, WEB));
    Target target = target(NETWORK, WEB);
    settle(target);
    assertThat(devices.flows().flows()).noneMatch(flow -> flow.cookie() == Cookies.of(WEB.key()));
    assertThat(reconciler.run(target, 1).health().problems())
        .containsExactly(
            Problem.rejected(
                WEB.key(), "its security group tenants/a/securityGroups/g is not known here"));
  }
}
