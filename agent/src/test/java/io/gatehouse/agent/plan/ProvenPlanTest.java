package io.gatehouse.agent.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.prove.Ground;
import io.gatehouse.agent.prove.Ledger;
import io.gatehouse.agent.prove.Probes;
import io.gatehouse.agent.prove.WalkProof;
import io.gatehouse.agent.state.planned.Plan;
import io.gatehouse.agent.state.proof.Cell;
import io.gatehouse.agent.state.proof.Finding;
import io.gatehouse.agent.state.proof.Finding.Method;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every planned flow does what the policy says, and a flow too many or too few is found. */
final class ProvenPlanTest {
  /** CLASSIFY, FORWARD, OUTPUT. */
  private static final Set<Integer> DELIVERING = Set.of(0, 50, 60, 61, 80);

  static List<Scenario> scenarios() throws IOException {
    return Scenario.all();
  }

  private record Proven(Ledger ledger, WalkProof proof, long walked, int ports) {
    Cell.Counts total() {
      return ledger.cells().values().stream().reduce(Cell.Counts.NONE, Cell.Counts::plus);
    }
  }

  private static List<Flow> flows(Plan plan) {
    return plan.flows().flows();
  }

  private static Proven prove(Scenario scenario, List<Flow> flows) {
    Plan plan = scenario.plan();
    Ground ground = Ground.of(scenario.policy(), scenario.facts(), plan.problems());
    Ledger ledger = new Ledger();
    WalkProof proof = new WalkProof(ground, plan.flows(), ledger);
    long walked = proof.walk(Probes.of(ground, Set.of()), flows, Method.WALK, () -> true);
    return new Proven(ledger, proof, walked, ground.locals().size());
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void whatIsPlannedIsWhatThePolicySays(Scenario scenario) {
    Proven proven = prove(scenario, flows(scenario.plan()));
    assertThat(proven.ledger().findings()).isEmpty();
    assertThat(proven.total().leaks() + proven.total().lost()).isZero();
    if (proven.ports() == 0) {
      assertThat(proven.walked()).as("from nowhere").isZero();
      return;
    }
    assertThat(proven.walked()).isPositive();
    assertThat(proven.total().blocked()).isPositive();
  }

  /** What only the agent or the sender hears of, and what drops, may go unmet; this may not. */
  @Test
  void everyFlowThatBringsAPacketToSomebodyIsMet() throws IOException {
    Scenario scenario = Scenario.named("three-dpus");
    assertThat(prove(scenario, flows(scenario.plan())).proof().unexercised())
        .filteredOn(flow -> DELIVERING.contains(flow.table()))
        .extracting(flow -> flow.table() + " " + flow.actions())
        .containsExactly("60 []", "61 []", "80 []");
  }

  @Test
  void eachFlowByHandThatOpensSomethingIsFoundAndNamed() throws IOException {
    Scenario scenario = Scenario.named("same-addresses");
    for (Flow leak :
        List.of(
            leak(0, 1_000, Match.builder().inPort(2), Actions.output(3)),
            leak(50, 200, Match.builder(), Actions.output(Actions.ALL)),
            leak(10, 300, Match.builder(), Actions.resubmit(20)),
            leak(50, 1, Match.builder(), Actions.group(7)))) {
      List<Flow> flows = new ArrayList<>(flows(scenario.plan()));
      flows.add(leak);
      List<Finding> findings = prove(scenario, flows).ledger().findings();
      assertThat(findings)
          .as(leak.toString())
          .anySatisfy(
              finding -> {
                assertThat(finding.leak()).isTrue();
                assertThat(finding.flows().get(0)).isEqualTo(leak.toString());
                assertThat(finding.owner()).isEmpty();
              });
    }
  }

  private static Flow leak(
      int table, int priority, Match.Builder match, io.gatehouse.agent.flow.Action... actions) {
    return new Flow(table, priority, 0, match.build(), List.of(actions));
  }

  /** A flow that can go unnoticed is one that no packet of the proof needs. */
  @Test
  void aPlannedFlowThatIsMissingIsFoundWhereTrafficNeedsIt() throws IOException {
    Scenario scenario = Scenario.named("three-dpus");
    List<Flow> flows = flows(scenario.plan());
    List<Flow> delivering =
        flows.stream()
            .filter(flow -> DELIVERING.contains(flow.table()) && !flow.actions().isEmpty())
            .toList();
    int noticed = 0;
    for (Flow missing : delivering) {
      List<Flow> rest = flows.stream().filter(flow -> !flow.equals(missing)).toList();
      List<Finding> findings = prove(scenario, rest).ledger().findings();
      noticed += findings.isEmpty() ? 0 : 1;
    }
    assertThat(noticed).isGreaterThan(delivering.size() / 2);
  }
}
