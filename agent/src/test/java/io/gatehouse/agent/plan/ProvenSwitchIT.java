package io.gatehouse.agent.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.device.openflow.TracedBridge;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.state.Facts;
import io.gatehouse.agent.state.observed.FlowView;
import io.gatehouse.agent.state.planned.Plan;
import io.gatehouse.agent.state.proof.Finding;
import io.gatehouse.agent.state.proof.Finding.Method;
import io.gatehouse.agent.state.proof.PacketClass;
import io.gatehouse.agent.state.proof.Proof;
import io.gatehouse.agent.state.proof.Subject;
import io.gatehouse.agent.verify.IsolationProver;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Two tenants with the same addresses on a real switch: the proof is clean until a hand opens it.
 */
final class ProvenSwitchIT {
  private static final String LEAK = "table=0,priority=500,in_port=2,actions=output:3";

  private final BlockingQueue<Proof> proofs = new LinkedBlockingQueue<>();
  private final BlockingQueue<List<Finding>> leaks = new LinkedBlockingQueue<>();

  private final IsolationProver.Listener listener =
      new IsolationProver.Listener() {
        @Override
        public void proved(Proof proof) {
          proofs.add(proof);
        }

        @Override
        public void leaked(List<Finding> found) {
          leaks.add(found);
        }
      };

  @Test
  void theRunningSwitchDoesWhatThePolicySays() throws Exception {
    for (Scenario scenario : Scenario.all()) {
      Plan plan = scenario.plan();
      Facts facts = scenario.facts();
      List<Flow> flows =
          plan.flows().fragments().values().stream()
              .flatMap(fragment -> fragment.flows().stream())
              .toList();
      try (TracedBridge bridge = TracedBridge.start();
          IsolationProver prover =
              new IsolationProver(
                  packet -> bridge.tracer().traceOpening(packet),
                  listener,
                  InstantSource.system(),
                  System::nanoTime)) {
        bridge.ports(
            new java.util.TreeSet<>(facts.openFlowPorts().values()), facts.tunnelPort().orElse(-1));
        bridge.meters(plan.flows());
        bridge.replaceFlows(flows);
        prover.start();
        prover.inForce(new Subject(scenario.policy(), plan, facts, view(flows)));
        Proof proof = prover.prove(port -> true).get(120, TimeUnit.SECONDS);
        assertThat(proof.findings()).as("%s", scenario).isEmpty();
        assertThat(proof.reach().traceProblem()).as("%s", scenario).isEmpty();
      }
    }
  }

  @Test
  void aLeakMadeByHandIsFoundOnTheRunningSwitchAndNamed() throws Exception {
    Scenario scenario = Scenario.named("same-addresses");
    Plan plan = scenario.plan();
    List<Flow> flows =
        plan.flows().fragments().values().stream()
            .flatMap(fragment -> fragment.flows().stream())
            .toList();
    Facts facts = scenario.facts();
    try (TracedBridge bridge = TracedBridge.start();
        IsolationProver prover =
            new IsolationProver(
                packet -> bridge.tracer().traceOpening(packet),
                listener,
                InstantSource.system(),
                System::nanoTime)) {
      bridge.ports(
          new java.util.TreeSet<>(facts.openFlowPorts().values()), facts.tunnelPort().orElse(-1));
      bridge.meters(plan.flows());
      bridge.replaceFlows(flows);
      prover.start();
      prover.inForce(new Subject(scenario.policy(), plan, facts, view(flows)));
      Proof clean = prover.prove(port -> true).get(120, TimeUnit.SECONDS);
      assertThat(clean.findings()).isEmpty();
      assertThat(clean.reach().traceProblem()).isEmpty();
      assertThat(clean.reach().complete()).isTrue();
      assertThat(clean.reach().traced()).isPositive().isEqualTo(clean.reach().walked());
      assertThat(clean.total().leaks() + clean.total().lost()).isZero();
      assertThat(clean.evidence()).hasSize(64);
      assertThat(leaks).isEmpty();

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
      assertThat(leaks.poll(120, TimeUnit.SECONDS)).isNotEmpty();
    }
  }

  @Test
  void aFlowThatWasRemovedAtOnceIsJudgedAllTheSame() throws Exception {
    Scenario scenario = Scenario.named("same-addresses");
    Plan plan = scenario.plan();
    List<Flow> flows =
        plan.flows().fragments().values().stream()
            .flatMap(fragment -> fragment.flows().stream())
            .toList();
    Flow opened =
        new Flow(
            0,
            500,
            0,
            io.gatehouse.agent.flow.Match.builder().inPort(2).build(),
            List.of(io.gatehouse.agent.flow.Actions.output(3)));
    try (IsolationProver prover =
        new IsolationProver(
            packet -> {
              throw new io.gatehouse.agent.device.DeviceException(
                  io.gatehouse.agent.device.DeviceException.Kind.UNREACHABLE, "no switch");
            },
            listener,
            InstantSource.system(),
            System::nanoTime)) {
      prover.start();
      prover.inForce(new Subject(scenario.policy(), plan, scenario.facts(), view(flows)));
      assertThat(proofs.poll(120, TimeUnit.SECONDS))
          .satisfies(
              proof -> {
                assertThat(proof.reach().traceProblem()).isEqualTo("no switch");
                assertThat(proof.reach().complete()).isFalse();
              });
      List<Flow> with = Stream.concat(flows.stream(), Stream.of(opened)).toList();
      prover.changedByOthers(new Subject(scenario.policy(), plan, scenario.facts(), view(with)));
      assertThat(leaks.poll(120, TimeUnit.SECONDS))
          .allSatisfy(
              finding -> {
                assertThat(finding.method()).isEqualTo(Method.REPAIRED);
                assertThat(finding.flows()).contains(opened.toString());
              });
      assertThat(proofs.poll(120, TimeUnit.SECONDS))
          .satisfies(
              proof -> {
                assertThat(proof.findings()).isNotEmpty();
                assertThat(proof.total().leaks()).as("now").isZero();
              });
    }
  }

  private static FlowView view(List<Flow> flows) {
    Map<Long, List<Flow>> byCookie = new HashMap<>();
    flows.forEach(
        flow ->
            byCookie.computeIfAbsent(flow.cookie(), c -> new java.util.ArrayList<>()).add(flow));
    return new FlowView(byCookie, java.util.Set.of());
  }
}
