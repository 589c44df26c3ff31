package io.gatehouse.agent.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.fixture.CountingMeter;
import io.gatehouse.agent.fixture.FakeDevices;
import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.fixture.RandomPolicies;
import io.gatehouse.agent.reconcile.Reconciler.Outcome;
import io.gatehouse.agent.reconcile.Reconciler.Round;
import io.gatehouse.agent.state.PipelineTable;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.Problem;
import io.gatehouse.agent.state.observed.BridgeView;
import io.gatehouse.agent.state.observed.Observed;
import io.gatehouse.agent.state.observed.PortView;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a representor carries is asked for, read back and kept. */
final class RepresentorMtuTest {
  private static final int MAX_ROUNDS = 20;
  private static final Target TARGET =
      new Target(
          Policy.of(
              1,
              List.of(
                  Policies.network("a/n", 7, "10.0.0.0/24"),
                  Policies.localPort("a/n/web", "f0", "02:00:00:00:00:01", "10.0.0.1"))),
          List.of(),
          0);

  private final FakeDevices devices = new FakeDevices();
  private final Reconciler reconciler =
      new Reconciler(RandomPolicies.SITE, devices, new CountingMeter());

  private Round settle() throws InterruptedException {
    devices.plug("f0", "rep0");
    for (int i = 0; i < MAX_ROUNDS; i++) {
      Round round = reconciler.run(TARGET, 1);
      if (round.outcome() == Outcome.IN_FORCE) {
        return round;
      }
    }
    throw new AssertionError("not in force after " + MAX_ROUNDS + " rounds");
  }

  private OptionalInt request() throws InterruptedException {
    if (devices.observe(Set.of()).bridge() instanceof Observed.Known<BridgeView> known) {
      PortView port = known.value().ports().get("rep0");
      return port == null ? OptionalInt.empty() : port.mtuRequest();
    }
    throw new AssertionError("the bridge is unknown");
  }

  @Test
  void aRepresentorCarriesMoreThanItsNetworkSoThatWhatIsTooLargeIsSeen()
      throws InterruptedException {
    settle();
    assertThat(request()).hasValue(9_216);
  }

  @Test
  void anotherRequestIsSetRight() throws InterruptedException {
    settle();
    devices.bridge().tamperMtu("rep0", OptionalInt.of(1_400), 1_400);
    assertThat(reconciler.run(TARGET, 1).outcome()).isEqualTo(Outcome.WRITTEN);
    settle();
    assertThat(request()).hasValue(9_216);
  }

  @Test
  void aDeviceThatCarriesLessThanItsNetworkIsNamedAndStaysOpen() throws InterruptedException {
    settle();
    devices.bridge().tamperMtu("rep0", OptionalInt.of(9_216), 1_400);

    assertThat(reconciler.run(TARGET, 1).health().problems())
        .containsExactly(
            Problem.pending(
                "tenants/a/networks/n/ports/web",
                "its device carries packets of up to 1400 bytes, its network of up to 1450"));
    assertThat(devices.flows().flows())
        .anyMatch(flow -> flow.table() == PipelineTable.OVERSIZE.number());
  }
}
