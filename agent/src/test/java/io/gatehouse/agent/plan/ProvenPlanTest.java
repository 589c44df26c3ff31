package io.gatehouse.agent.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.plan.pipeline.Registers;
import io.gatehouse.agent.prove.Ground;
import io.gatehouse.agent.prove.Ledger;
import io.gatehouse.agent.prove.Probes;
import io.gatehouse.agent.prove.WalkProof;
import io.gatehouse.agent.state.PipelineTable;
import io.gatehouse.agent.state.RouterIdentity;
import io.gatehouse.agent.state.planned.Plan;
import io.gatehouse.agent.state.proof.Cell;
import io.gatehouse.agent.state.proof.Finding;
import io.gatehouse.agent.state.proof.Finding.Method;
import io.gatehouse.agent.state.proof.PacketClass;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
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

  @Test
  void peersReachEachOtherByTheRouterAndTheProofCountsIt() throws IOException {
    Scenario scenario = Scenario.named("peering");
    Proven proven = prove(scenario, flows(scenario.plan()));
    assertThat(proven.ledger().cells())
        .anySatisfy(
            (cell, counts) -> {
              assertThat(cell.kind()).isEqualTo(PacketClass.ROUTED);
              assertThat(cell.relation()).isEqualTo(Cell.Relation.OTHER_TENANT);
              assertThat(counts.passed()).isPositive();
              assertThat(counts.blocked()).isPositive();
            });
    assertThat(proven.proof().unexercised())
        .filteredOn(flow -> flow.table() == PipelineTable.ROUTE.number())
        .filteredOn(flow -> !flow.actions().isEmpty())
        .isEmpty();
  }

  @Test
  void aRouteTooManyOrTooFewIsFound() throws IOException {
    Scenario scenario = Scenario.named("peering");
    List<Flow> planned = flows(scenario.plan());
    List<Flow> routes =
        planned.stream()
            .filter(flow -> flow.table() == PipelineTable.ROUTE.number())
            .filter(flow -> flow.actions().size() > 1)
            .toList();
    assertThat(routes).hasSize(9);
    for (Flow route : routes) {
      List<Flow> fewer = planned.stream().filter(flow -> !flow.equals(route)).toList();
      assertThat(prove(scenario, fewer).ledger().findings())
          .as("without %s", route)
          .isNotEmpty()
          .allMatch(finding -> !finding.leak());
    }
    for (Flow leak :
        List.of(
            // Globex to initech, which have no peering with each other; past globex's groups.
            leak(
                30,
                200,
                Match.builder().reg(0, 200).ethType(0x0800).ipDst(IpAddress.parse("10.2.0.4")),
                Actions.setReg(0, 300),
                Actions.setEthSrc(RouterIdentity.MAC),
                Actions.setReg(Registers.ROUTED_FROM, 100),
                Actions.setEthDst(MacAddress.parse("02:00:00:00:00:04")),
                Actions.resubmit(50)),
            // By the peer's own MAC address.
            leak(
                40,
                200,
                Match.builder().reg(0, 100).ethDst(MacAddress.parse("02:00:00:00:00:03")),
                Actions.setReg(0, 200),
                Actions.resubmit(50)),
            // With the sender's VNI.
            leak(
                40,
                200,
                Match.builder().reg(0, 100).ethDst(RouterIdentity.MAC),
                Actions.set(Field.TUN_DST, Bits.of(0xc000_0203L)),
                Actions.setReg(1, 1),
                Actions.resubmit(80)),
            // Whatever a peer's DPU sends.
            leak(
                0,
                200,
                Match.builder().inPort(1).tunId(100).tunSrc(IpAddress.parse("192.0.2.3")),
                Actions.setReg(0, 100),
                Actions.setReg(2, 1),
                Actions.resubmit(50)))) {
      List<Flow> more = new ArrayList<>(planned);
      more.add(leak);
      assertThat(prove(scenario, more).ledger().findings())
          .as("with %s", leak)
          .anyMatch(finding -> finding.leak() && finding.flows().get(0).equals(leak.toString()));
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
