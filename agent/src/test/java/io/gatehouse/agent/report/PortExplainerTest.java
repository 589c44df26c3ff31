package io.gatehouse.agent.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.device.openflow.codec.MeterCodec;
import io.gatehouse.agent.fixture.Groups;
import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.fixture.RandomPolicies;
import io.gatehouse.agent.flow.RateMeter;
import io.gatehouse.agent.plan.PolicyPlanner;
import io.gatehouse.agent.state.Facts;
import io.gatehouse.agent.state.MeterKind;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.Problem;
import io.gatehouse.agent.state.planned.FlowPlan;
import io.gatehouse.agent.state.planned.Plan;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.security.RateLimits;
import io.gatehouse.proto.v1.InstalledFlow;
import io.gatehouse.proto.v1.PortObservation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PortExplainerTest {
  private static final String PORT = "tenants/a/networks/n/ports/p";

  private static PortExplainer.View view(List<Problem> problems) {
    Policy policy =
        Policy.of(
            3,
            List.of(
                Policies.network("a/n", 7, "10.0.0.0/24"),
                Policies.localPort("a/n/p", "f0", "02:00:00:00:00:01", "10.0.0.1"),
                Policies.quarantined(
                    Policies.localPort("a/n/q", "f1", "02:00:00:00:00:02", "10.0.0.2"),
                    "10.0.0.9/32")));
    Facts facts = Facts.of(Map.of("f0", "rep0"), Map.of("rep0", 5));
    Plan plan = PolicyPlanner.plan(policy, facts, RandomPolicies.SITE, FlowPlan.EMPTY);
    return new PortExplainer.View(
        Optional.of(plan),
        facts.openFlowPorts(),
        problems,
        3,
        port -> Optional.of("told " + port),
        policy);
  }

  @Test
  void deviceSwitchPortAndFlowsAreTold() {
    InstalledFlow flow =
        InstalledFlow.newBuilder()
            .setFlow("table=0")
            .setPackets(4)
            .setTableName("CLASSIFY")
            .build();
    PortObservation told = PortExplainer.describe(PORT, view(List.of()), List.of(flow));
    assertThat(told.getDevice()).isEqualTo("rep0");
    assertThat(told.getOpenflowPort()).isEqualTo(5);
    assertThat(told.getRevision()).isEqualTo(3);
    assertThat(told.getHostService()).isEqualTo("told " + PORT);
    assertThat(told.getFlowsList()).containsExactly("table=0 [4 packets, CLASSIFY]");
    assertThat(told.getProblemsList()).isEmpty();
  }

  @Test
  void aPortThatIsNotHereIsToldToBeAbsent() {
    assertThat(PortExplainer.describe("tenants/x", view(List.of()), List.of()).getProblemsList())
        .containsExactly("this DPU has no such port, or the port is disabled");
  }

  @Test
  void aQuarantineIsToldWithItsReason() {
    String port = "tenants/a/networks/n/ports/q";
    assertThat(PortExplainer.describe(port, view(List.of()), List.of()).getProblemsList())
        .contains("in quarantine: of a test; talks only with [10.0.0.9/32]");
  }

  @Test
  void aLimitThatHasNothingToCountSaysSo() {
    LocalPortPolicy port =
        Policies.limited(
            Policies.localPort("a/n/p", "f0", "02:00:00:00:00:01", "10.0.0.1"),
            new RateLimits(RateLimits.Rate.NONE, RateLimits.Rate.NONE, 0, 5));
    assertThat(PortExplainer.notes(port))
        .containsExactly(
            "its limits of connections count nothing: without security groups none is tracked");
    assertThat(PortExplainer.notes(Groups.with(port, "a/g"))).isEmpty();
  }

  @Test
  void metersAreToldWithWhatTheyDropped() {
    int id = MeterKind.BROADCAST.id(5);
    RateMeter meter = new RateMeter(id, RateMeter.Unit.PACKETS, 1_000, 1_000);
    List<MeterCodec.Found> found =
        List.of(
            new MeterCodec.Found(id, Optional.of(meter)),
            new MeterCodec.Found(MeterKind.PUNTS.id(6), Optional.of(meter)),
            new MeterCodec.Found(MeterKind.PUNTS.id(5), Optional.empty()));
    List<MeterCodec.Counters> counters = List.of(new MeterCodec.Counters(id, 70, 3));
    assertThat(MeterLister.describe(5, found, counters))
        .containsExactly(meter + " [70 packets, 3 dropped, BROADCAST]");
  }

  @Test
  void whatStandsInTheWayIsToldAsFarAsAMessageMayBeLong() {
    List<Problem> problems =
        List.of(Problem.rejected(PORT, "x".repeat(9_000)), Problem.pending("other", "y"));
    assertThat(PortExplainer.describe(PORT, view(problems), List.of()).getProblemsList())
        .hasSize(1)
        .allMatch(reason -> reason.length() == 500);
  }
}
