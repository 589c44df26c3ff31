package io.gatehouse.agent.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.fixture.CountingMeter;
import io.gatehouse.agent.fixture.FakeDevices;
import io.gatehouse.agent.fixture.FakeDevices.Part;
import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.fixture.RandomPolicies;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.reconcile.Reconciler.Outcome;
import io.gatehouse.agent.reconcile.Reconciler.Round;
import io.gatehouse.agent.state.Cookies;
import io.gatehouse.agent.state.Health;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.Problem;
import io.gatehouse.agent.state.Site;
import io.gatehouse.agent.state.observed.KernelView;
import io.gatehouse.model.policy.PolicyResource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The loop's round against strict devices in memory. */
final class ReconcilerTest {
  private static final int MAX_ROUNDS = 12;
  private static final PolicyResource NETWORK = Policies.network("a/n", 7, "10.0.0.0/24");
  private static final PolicyResource WEB =
      Policies.localPort("a/n/web", "f0", "02:00:00:00:00:01", "10.0.0.1");
  private static final PolicyResource DB =
      Policies.localPort("a/n/db", "f1", "02:00:00:00:00:02", "10.0.0.2");
  private static final PolicyResource PEER = Policies.vtep("dpu-1", "192.0.2.2");
  private static final PolicyResource APP =
      Policies.remotePort("a/n/app", "dpu-1", "02:00:00:00:00:03", "10.0.0.3");

  private final FakeDevices devices = new FakeDevices();
  private final CountingMeter meter = new CountingMeter();
  private long applied;
  private Reconciler reconciler = new Reconciler(RandomPolicies.SITE, devices, meter);

  @BeforeEach
  void plug() {
    devices.plug("f0", "rep0");
    devices.plug("f1", "rep1");
  }

  private static Target target(long revision, PolicyResource... resources) {
    return new Target(Policy.of(revision, Arrays.asList(resources)), List.of(), 0);
  }

  private static Target both() {
    return target(3, NETWORK, WEB, DB, PEER, APP);
  }

  private Round round(Target target) throws InterruptedException {
    return reconciler.run(target, 1);
  }

  /** Runs rounds until one finds all in force; says no word of success before. */
  private Health settle(Target target) throws InterruptedException {
    List<Round> rounds = new ArrayList<>();
    boolean wasApplied = applied == target.policy().revision();
    for (int i = 0; i < MAX_ROUNDS; i++) {
      Round round = round(target);
      rounds.add(round);
      if (round.outcome() == Outcome.IN_FORCE) {
        assertThat(devices.flows().holdsExactly(newestPlan().flows())).isTrue();
        assertThat(devices.meters().holdsExactly(newestPlan().flows())).isTrue();
        applied = round.health().appliedRevision();
        assertThat(applied).isEqualTo(target.policy().revision());
        return round.health();
      }
      assertThat(wasApplied || round.health().appliedRevision() < target.policy().revision())
          .as("nothing is applied before it was read back")
          .isTrue();
    }
    throw new AssertionError("not in force after " + rounds);
  }

  private io.gatehouse.agent.state.planned.Plan newestPlan() {
    return reconciler.view().plan().orElseThrow();
  }

  /** As after a crash of the agent. */
  private void restartAgent() {
    reconciler = new Reconciler(RandomPolicies.SITE, devices, meter);
  }

  private static long cookie(PolicyResource resource) {
    return Cookies.of(resource.key());
  }

  private static Health.State state(Health health, Health.Part part) {
    return health.components().stream()
        .filter(component -> component.part() == part)
        .findFirst()
        .orElseThrow()
        .state();
  }

  @Test
  void anEmptyMachineBecomesWhatIsPlanned() throws InterruptedException {
    Health health = settle(both());
    assertThat(health.problems()).isEmpty();
    assertThat(health.components()).allMatch(c -> c.state() == Health.State.OK);
    assertThat(devices.bridge().devices()).containsExactly(Site.TUNNEL_PORT, "rep0", "rep1");
    assertThat(devices.guarded()).containsExactlyInAnyOrder("rep0", "rep1");
    assertThat(devices.bridge().restoreWait()).isFalse();
    assertThat(meter.applied).isEqualTo(1);
  }

  @Test
  void nothingChangedWritesNothing() throws InterruptedException {
    settle(both());
    int writes = meter.writes;
    for (int i = 0; i < 3; i++) {
      assertThat(round(both()).outcome()).isEqualTo(Outcome.IN_FORCE);
    }
    assertThat(meter.writes).isEqualTo(writes);
    assertThat(meter.applied).isEqualTo(1);
  }

  @Test
  void aNewNumberAloneWritesNothing() throws InterruptedException {
    settle(both());
    int writes = meter.writes;
    assertThat(settle(target(4, NETWORK, WEB, DB, PEER, APP)).appliedRevision()).isEqualTo(4);
    assertThat(meter.writes).isEqualTo(writes);
  }

  @Test
  @DisplayName("F11: a restart of the agent over an intact data plane writes nothing at all")
  void aRestartOfTheAgentWritesNothing() throws InterruptedException {
    settle(both());
    devices.writes().clear();
    restartAgent();
    assertThat(round(both()).outcome()).isEqualTo(Outcome.IN_FORCE);
    assertThat(devices.writes()).isEmpty();
  }

  @Test
  @DisplayName("F11, F17: a restart with another policy touches what differs, in one bundle")
  void aRestartWithAnotherPolicy() throws InterruptedException {
    settle(target(3, NETWORK, WEB, DB));
    List<Flow> kept = new ArrayList<>(devices.flows().flows());
    restartAgent();
    devices.writes().clear();
    settle(both());
    assertThat(devices.writes()).filteredOn(write -> write.startsWith("FLOWS")).hasSize(1);
    kept.removeIf(flow -> flow.cookie() == cookie(NETWORK));
    assertThat(devices.flows().flows()).containsAll(kept);
  }

  @Test
  @DisplayName("F15: flows wiped under an intact bridge are put back, and counted as drift")
  void wipedFlowsComeBack() throws InterruptedException {
    settle(both());
    devices.flows().clear();
    assertThat(round(both()).outcome()).isEqualTo(Outcome.WRITTEN);
    settle(both());
    assertThat(meter.drifts).isEqualTo(1);
  }

  @Test
  @DisplayName("F15: any part that somebody changes is set right")
  void driftOfEachPartIsRepaired() throws InterruptedException {
    settle(both());
    Flow hole = new Flow(0, 40_000, 0, Match.ANY, List.of(Actions.output(Actions.NORMAL)));
    List<Runnable> tampering =
        List.of(
            () -> devices.flows().put(hole),
            () -> devices.flows().putStrange(hole),
            () -> devices.bridge().tamperRemove("rep0"),
            () -> devices.bridge().tamperOptions(Site.TUNNEL_PORT, Map.of("key", "5")),
            () -> devices.bridge().tamperMtu("rep0", OptionalInt.empty(), 9_216),
            () -> devices.guarded().remove("rep1"),
            () -> devices.tamperLink("rep0", new KernelView.Link(1_500, true, false)),
            () -> devices.tamperLink("rep0", new KernelView.Link(1_500, false, true)),
            () -> devices.bridge().tamperRestoreWait());
    for (int i = 0; i < tampering.size(); i++) {
      tampering.get(i).run();
      assertThat(round(both()).outcome()).as("tampering %d", i).isEqualTo(Outcome.WRITTEN);
      settle(both());
      assertThat(devices.guarded()).contains("rep0", "rep1");
    }
  }

  @Test
  @DisplayName("F12: a switch that waits goes on only after its flows were read back")
  void aWaitingSwitchGoesOnLast() throws InterruptedException {
    settle(both());
    devices.bridge().tamperRestoreWait();
    devices.restartSwitch();
    assertThat(devices.bridge().isWaiting()).isTrue();
    for (int i = 0; i < MAX_ROUNDS && devices.bridge().isWaiting(); i++) {
      boolean flowsWereThere =
          reconciler.view().plan().map(p -> devices.flows().holdsExactly(p.flows())).orElse(false);
      Round round = round(both());
      if (!devices.bridge().restoreWait()) {
        assertThat(flowsWereThere).as("cleared in the same round as the flows").isTrue();
        assertThat(round.outcome()).isNotEqualTo(Outcome.IN_FORCE);
        break;
      }
    }
    settle(both());
    assertThat(devices.bridge().isWaiting()).isFalse();
  }

  @Test
  @DisplayName("F12: a switch that never comes back does not keep the flag from being written")
  void theFlagIsSetWhileTheSwitchIsAway() throws InterruptedException {
    settle(both());
    devices.unreadable(Part.FLOWS);
    round(both());
    assertThat(devices.bridge().restoreWait()).isTrue();
    devices.restartSwitch();
    assertThat(devices.bridge().isWaiting()).isTrue();
    devices.unreadable();
    settle(both());
    assertThat(devices.bridge().isWaiting()).isFalse();
  }

  @Test
  @DisplayName("F13: a flag that stays set is tried again, and alarmed")
  void aFlagThatStaysSetIsAlarmed() throws InterruptedException {
    settle(both());
    devices.bridge().tamperRestoreWait();
    devices.bridge().keepRestoreWait();
    for (int i = 0; i < 3; i++) {
      Round round = round(both());
      assertThat(round.outcome()).isEqualTo(Outcome.WRITTEN);
      assertThat(state(round.health(), Health.Part.OPENFLOW)).isEqualTo(Health.State.FAILED);
    }
    devices.bridge().letRestoreWaitGo();
    settle(both());
  }

  @Test
  @DisplayName("F18: a configuration that the switch has not taken is not in force")
  void theDatabaseAloneForwardsNothing() throws InterruptedException {
    settle(both());
    devices.bridge().stopSwitch();
    Round round = round(target(4, NETWORK, WEB, DB, PEER, APP));
    assertThat(round.outcome()).isNotEqualTo(Outcome.IN_FORCE);
    assertThat(round.health().appliedRevision()).isEqualTo(3);
    assertThat(state(round.health(), Health.Part.OVSDB)).isEqualTo(Health.State.DEGRADED);
  }

  @Test
  @DisplayName("F19: removed ports go, with their flows and guards; a foreign port stays")
  void removedPortsGo() throws InterruptedException {
    settle(both());
    devices.bridge().tamperAdd("eth9");
    Health health = settle(target(4, NETWORK, WEB));
    assertThat(devices.bridge().devices()).containsExactly("eth9", Site.TUNNEL_PORT, "rep0");
    assertThat(devices.guarded()).containsExactly("rep0");
    assertThat(devices.flows().flows()).noneMatch(flow -> flow.cookie() == cookie(DB));
    assertThat(health.foreign()).containsExactly("port eth9 on gh-int");
  }

  @Test
  @DisplayName("close before open, guard, flows, port; and back: flows, meters, port, guard")
  void theOrderOfWrites() throws InterruptedException {
    settle(target(3, NETWORK));
    devices.writes().clear();
    settle(target(4, NETWORK, WEB));
    assertThat(devices.writes().get(0)).isEqualTo("CLOSE 2");
    devices.writes().clear();
    settle(target(5, NETWORK));
    assertThat(
            devices.writes().stream()
                .map(write -> write.substring(0, write.indexOf(' ')))
                .distinct())
        .containsExactly("FLOWS", "METERS_GONE", "BRIDGE", "OPEN");
  }

  @Test
  @DisplayName(
      "F41: what the switch refuses closes its owner alone, and comes back when it changes")
  void aRefusedFragmentClosesItsOwner() throws InterruptedException {
    devices.refuse(cookie(DB), "OFPBAC_BAD_OUT_PORT");
    Health health = settle(both());
    assertThat(health.problems())
        .containsExactly(Problem.rejected(DB.key(), "the switch refuses it: OFPBAC_BAD_OUT_PORT"));
    assertThat(devices.flows().flows()).anyMatch(flow -> flow.cookie() == cookie(WEB));
    assertThat(devices.flows().flows()).noneMatch(flow -> flow.cookie() == cookie(DB));

    devices.refuseNothing();
    PolicyResource changed = Policies.localPort("a/n/db", "f1", "02:00:00:00:00:02", "10.0.0.22");
    assertThat(settle(target(4, NETWORK, WEB, changed, PEER, APP)).problems()).isEmpty();
  }

  @Test
  @DisplayName("F41: a change that the switch refuses ends what was there before")
  void aRefusedChangeEndsTheOldFlows() throws InterruptedException {
    settle(both());
    devices.refuse(cookie(DB), "no");
    PolicyResource changed = Policies.localPort("a/n/db", "f1", "02:00:00:00:00:02", "10.0.0.22");
    settle(target(4, NETWORK, WEB, changed, PEER, APP));
    assertThat(devices.flows().flows()).noneMatch(flow -> flow.cookie() == cookie(DB));
  }

  @Test
  void aMissingFunctionIsPendingAndComesByItself() throws InterruptedException {
    devices.unplug("f1");
    Health health = settle(both());
    assertThat(health.problems())
        .containsExactly(Problem.pending(DB.key(), "function f1 is not there"));
    devices.plug("f1", "rep7");
    Health later = null;
    for (int i = 0; i < MAX_ROUNDS; i++) {
      Round round = round(both());
      later = round.health();
      if (round.outcome() == Outcome.IN_FORCE) {
        break;
      }
    }
    assertThat(later).isNotNull();
    assertThat(later.problems()).isEmpty();
    assertThat(devices.bridge().devices()).contains("rep7");
  }

  // The number only has to differ from round to round.
  @SuppressWarnings("EnumOrdinal")
  @Test
  @DisplayName("unknown is never empty: what cannot be read is not written")
  void unknownIsNotEmpty() throws InterruptedException {
    settle(both());
    for (Part part : Part.values()) {
      devices.writes().clear();
      devices.unreadable(part);
      Round round = round(both());
      assertThat(round.outcome()).as("%s", part).isNotEqualTo(Outcome.IN_FORCE);
      assertThat(devices.writes())
          .as("%s: only the flag may be written", part)
          .isSubsetOf("BRIDGE 1");
      devices.unreadable();
      settle(target(3 + part.ordinal() + 1, NETWORK, WEB, DB, PEER, APP));
    }
  }

  @Test
  @DisplayName("F22: no port is put on the bridge while nobody knows whether it is guarded")
  void noPortWithoutAKnownGuard() throws InterruptedException {
    devices.unreadable(Part.KERNEL);
    for (int i = 0; i < 3; i++) {
      assertThat(round(both()).outcome()).isNotEqualTo(Outcome.IN_FORCE);
    }
    assertThat(devices.bridge().devices()).doesNotContain("rep0", "rep1");
    devices.unreadable();
    settle(both());
    assertThat(devices.bridge().devices()).contains("rep0", "rep1");
  }

  @Test
  @DisplayName("F22: a device that the kernel's list does not have yet waits for its guard")
  void noPortBeforeItsDeviceIsSeen() throws InterruptedException {
    devices.plugUnseen("f2", "rep2");
    PolicyResource late = Policies.localPort("a/n/late", "f2", "02:00:00:00:00:09", "10.0.0.9");
    Target target = target(4, NETWORK, WEB, late);
    for (int i = 0; i < 4; i++) {
      round(target);
    }
    assertThat(devices.bridge().devices()).contains("rep0").doesNotContain("rep2");
    devices.plug("f2", "rep2");
    for (int i = 0; i < MAX_ROUNDS && round(target).outcome() != Outcome.IN_FORCE; i++) {
      assertThat(i).isLessThan(MAX_ROUNDS - 1);
    }
    assertThat(devices.bridge().devices()).contains("rep2");
  }

  @Test
  void unreadableResourcesAreReported() throws InterruptedException {
    Problem bad = Problem.rejected("tenants/a/networks/n/ports/x", "is broken");
    Health health = settle(new Target(Policy.of(3, List.of(NETWORK, WEB)), List.of(bad), 0));
    assertThat(health.problems()).containsExactly(bad);
  }

  @Test
  void theTimeOfARevisionIsFromItsArrivalToItsReadBack() throws InterruptedException {
    Target target = new Target(Policy.of(3, List.of(NETWORK)), List.of(), 1_000);
    Round round = reconciler.run(target, 5_000);
    for (int i = 0; i < MAX_ROUNDS && round.outcome() != Outcome.IN_FORCE; i++) {
      round = reconciler.run(target, 6_000 + i);
    }
    assertThat(round.health().applyNanos()).isGreaterThanOrEqualTo(5_000).isLessThan(5_100);
    assertThat(reconciler.run(target, 99_000).health().applyNanos())
        .isEqualTo(round.health().applyNanos());
  }
}
