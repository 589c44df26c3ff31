package io.gatehouse.agent.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.agent.device.openflow.TracedBridge;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.prove.Ground;
import io.gatehouse.agent.prove.Probes;
import io.gatehouse.agent.state.Facts;
import io.gatehouse.agent.state.proof.Finding.Method;
import io.gatehouse.agent.state.proof.PacketClass;
import io.gatehouse.agent.state.proof.Proof;
import io.gatehouse.agent.verify.IsolationProver;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Two tenants with the same addresses on a real switch: the proof is clean until a hand opens it.
 */
final class ProvenSwitchIT {
  private static final String LEAK = "table=0,priority=500,in_port=2,actions=output:3";

  private final ProofLab lab = new ProofLab();

  @Test
  void theRunningSwitchDoesWhatThePolicySays() throws Exception {
    for (Scenario scenario : Scenario.all()) {
      try (TracedBridge bridge = running(scenario);
          IsolationProver prover = proving(bridge, scenario)) {
        Proof proof = prover.prove(port -> true).get(120, TimeUnit.SECONDS);
        assertThat(proof.findings()).as("%s", scenario).isEmpty();
        assertThat(proof.reach().traceProblem()).as("%s", scenario).isEmpty();
      }
    }
  }

  @Test
  void aLeakMadeByHandIsFoundOnTheRunningSwitchAndNamed() throws Exception {
    Scenario scenario = Scenario.named("same-addresses");
    try (TracedBridge bridge = running(scenario);
        IsolationProver prover = proving(bridge, scenario)) {
      Proof clean = prover.prove(port -> true).get(120, TimeUnit.SECONDS);
      assertThat(clean.findings()).isEmpty();
      assertThat(clean.reach().traceProblem()).isEmpty();
      assertThat(clean.reach().complete()).isTrue();
      assertThat(clean.reach().traced())
          .as("all but what is too large, of which a trace knows nothing")
          .isPositive()
          .isEqualTo(clean.reach().walked() - tooLarge(scenario));
      assertThat(clean.total().leaks() + clean.total().lost()).isZero();
      assertThat(clean.evidence()).hasSize(64);
      assertThat(lab.leaks).isEmpty();

      bridge.vswitchd().ofctl("add-flow", "gh-int", LEAK);
      Proof leaking = prover.prove(port -> true).get(120, TimeUnit.SECONDS);
      assertThat(leaking.total().leaks()).isPositive();
      assertThat(leaking.findings())
          .anySatisfy(
              finding -> {
                assertThat(finding.leak()).isTrue();
                assertThat(finding.kind()).isEqualTo(PacketClass.OWN);
                assertThat(finding.method()).isEqualTo(Method.TRACE);
                assertThat(finding.flows().get(0))
                    .isEqualTo("table=0,priority=500,cookie=0x0,in_port=2");
              });
      assertThat(lab.leaks.poll(120, TimeUnit.SECONDS)).isNotEmpty();
    }
  }

  @Test
  void aFlowThatWasRemovedAtOnceIsJudgedAllTheSame() throws Exception {
    Scenario scenario = Scenario.named("same-addresses");
    List<Flow> flows = scenario.plan().flows().flows();
    Flow opened =
        new Flow(0, 500, 0, Match.builder().inPort(2).build(), List.of(Actions.output(3)));
    try (IsolationProver prover =
        lab.prover(
            packet -> {
              throw new DeviceException(Kind.UNREACHABLE, "no switch");
            })) {
      prover.start();
      prover.inForce(ProofLab.subject(scenario, flows));
      assertThat(lab.proofs.poll(120, TimeUnit.SECONDS))
          .satisfies(
              proof -> {
                assertThat(proof.reach().traceProblem()).isEqualTo("no switch");
                assertThat(proof.reach().complete()).isFalse();
              });
      List<Flow> with = Stream.concat(flows.stream(), Stream.of(opened)).toList();
      prover.changedByOthers(ProofLab.subject(scenario, with));
      assertThat(lab.leaks.poll(120, TimeUnit.SECONDS))
          .allSatisfy(
              finding -> {
                assertThat(finding.method()).isEqualTo(Method.REPAIRED);
                assertThat(finding.flows()).contains(opened.toString());
              });
      assertThat(lab.proofs.poll(120, TimeUnit.SECONDS))
          .satisfies(
              proof -> {
                assertThat(proof.findings()).isNotEmpty();
                assertThat(proof.total().leaks()).as("now").isZero();
              });
    }
  }

  private static long tooLarge(Scenario scenario) {
    Ground ground = Ground.of(scenario.policy(), scenario.facts(), scenario.plan().problems());
    return Probes.of(ground, Set.of())
        .filter(probe -> probe.kind() == PacketClass.TOO_LARGE)
        .count();
  }

  private static TracedBridge running(Scenario scenario) throws Exception {
    TracedBridge bridge = TracedBridge.start();
    Facts facts = scenario.facts();
    bridge.ports(new TreeSet<>(facts.openFlowPorts().values()), facts.tunnelPort().orElse(-1));
    bridge.meters(scenario.plan().flows());
    bridge.replaceFlows(scenario.plan().flows().flows());
    return bridge;
  }

  private IsolationProver proving(TracedBridge bridge, Scenario scenario) {
    IsolationProver prover = lab.prover(packet -> bridge.tracer().traceOpening(packet));
    prover.start();
    prover.inForce(ProofLab.subject(scenario, scenario.plan().flows().flows()));
    return prover;
  }
}
