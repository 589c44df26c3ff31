package io.gatehouse.agent.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.fixture.CountingMeter;
import io.gatehouse.agent.fixture.FakeDevices;
import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.fixture.RandomPolicies;
import io.gatehouse.agent.reconcile.Reconciler.Outcome;
import io.gatehouse.agent.reconcile.Reconciler.Round;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.model.net.IpAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a path carries comes into the flows, wakes the loop, and is nobody's doing. */
final class PathLimitsTest {
  private static final int MAX_ROUNDS = 20;
  private static final IpAddress PEER = IpAddress.parse("192.0.2.2");
  private static final Target TARGET =
      new Target(
          Policy.of(
              7,
              List.of(
                  Policies.network("a/n", 7, "10.0.0.0/24"),
                  Policies.localPort("a/n/web", "f0", "02:00:00:00:00:01", "10.0.0.1"),
                  Policies.vtep("dpu-1", "192.0.2.2"),
                  Policies.remotePort("a/n/app", "dpu-1", "02:00:00:00:00:03", "10.0.0.3"))),
          List.of(),
          0);

  private final FakeDevices devices = new FakeDevices();
  private final CountingMeter meter = new CountingMeter();
  private final Wakeups wakeups = new Wakeups();
  private final PathLimits limits = new PathLimits(wakeups);
  private final Reconciler reconciler =
      new Reconciler(RandomPolicies.SITE, devices, meter, RoundListener.NONE, limits);

  private Round settle() throws InterruptedException {
    for (int i = 0; i < MAX_ROUNDS; i++) {
      Round round = reconciler.run(TARGET, 1);
      if (round.outcome() == Outcome.IN_FORCE) {
        return round;
      }
    }
    throw new AssertionError("not in force after " + MAX_ROUNDS + " rounds");
  }

  private List<String> checksOfThePath() {
    return devices.flows().flows().stream()
        .map(Object::toString)
        .filter(flow -> flow.startsWith("table=60,") && flow.contains("tun_dst=192.0.2.2"))
        .toList();
  }

  @Test
  void aLimitBecomesACheckOfThePathAndGoesWithIt() throws InterruptedException {
    devices.plug("f0", "rep0");
    settle();
    assertThat(checksOfThePath()).isEmpty();
    wakeups.await(Duration.ZERO);

    limits.set(new TreeMap<>(java.util.Map.of(PEER, 1_400)));
    assertThat(wakeups.await(Duration.ZERO)).as("woken").isTrue();
    Round limited = settle();
    assertThat(checksOfThePath())
        .singleElement()
        .asString()
        .contains("check_pkt_larger(1364)->reg5[16]");
    assertThat(limited.health().appliedRevision()).isEqualTo(7);
    assertThat(limited.health().problems()).isEmpty();

    limits.set(Collections.emptySortedMap());
    assertThat(settle().health().appliedRevision()).isEqualTo(7);
    assertThat(checksOfThePath()).isEmpty();
    assertThat(meter.drifts).as("nobody else has changed anything").isZero();
    assertThat(meter.applied).as("no new revision").isEqualTo(1);
  }
}
