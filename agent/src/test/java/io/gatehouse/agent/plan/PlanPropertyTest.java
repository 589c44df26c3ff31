package io.gatehouse.agent.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.fixture.RandomPolicies;
import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.FlowKey;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.state.Cookies;
import io.gatehouse.agent.state.Facts;
import io.gatehouse.agent.state.PipelineTable;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.Problem;
import io.gatehouse.agent.state.planned.FlowPlan;
import io.gatehouse.agent.state.planned.Fragment;
import io.gatehouse.agent.state.planned.Plan;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What holds for the plan of every policy. */
final class PlanPropertyTest {
  private static final int ROUNDS = 300;

  /** Tables that pass on what they have nothing to say of. */
  private static final Map<PipelineTable, PipelineTable> GOES_ON =
      Map.of(
          PipelineTable.SERVICES, PipelineTable.EGRESS_CT,
          PipelineTable.EGRESS_CT, PipelineTable.ROUTE,
          PipelineTable.ROUTE, PipelineTable.FORWARD,
          PipelineTable.INGRESS_CT, PipelineTable.OUTPUT);

  private static void everyPlan(BiConsumer<Long, Plan> check) {
    for (long seed = 0; seed < ROUNDS; seed++) {
      RandomPolicies chance = new RandomPolicies(new SplittableRandom(seed));
      check.accept(
          seed,
          PolicyPlanner.plan(chance.policy(), chance.facts(), RandomPolicies.SITE, FlowPlan.EMPTY));
    }
  }

  @Test
  void thePlanBeforeChangesNothing() {
    FlowPlan previous = FlowPlan.EMPTY;
    for (long seed = 0; seed < ROUNDS; seed++) {
      RandomPolicies chance = new RandomPolicies(new SplittableRandom(seed));
      Policy policy = chance.policy();
      Facts facts = chance.facts();
      Plan fresh = PolicyPlanner.plan(policy, facts, RandomPolicies.SITE, FlowPlan.EMPTY);
      Plan after = PolicyPlanner.plan(policy, facts, RandomPolicies.SITE, previous);
      assertThat(after).as("seed %d", seed).isEqualTo(fresh);
      previous = after.flows();
    }
  }

  @Test
  void whatIsTheSameIsTakenOver() {
    for (long seed = 0; seed < ROUNDS; seed++) {
      RandomPolicies chance = new RandomPolicies(new SplittableRandom(seed));
      Policy policy = chance.policy();
      Facts facts = chance.facts();
      FlowPlan first =
          PolicyPlanner.plan(policy, facts, RandomPolicies.SITE, FlowPlan.EMPTY).flows();
      FlowPlan again = PolicyPlanner.plan(policy, facts, RandomPolicies.SITE, first).flows();
      again
          .fragments()
          .forEach(
              (cookie, fragment) -> assertThat(fragment).isSameAs(first.fragments().get(cookie)));
    }
  }

  @Test
  void noTwoFlowsShareAKey() {
    everyPlan(
        (seed, plan) -> {
          Set<FlowKey> keys = new HashSet<>();
          for (Flow flow : flows(plan)) {
            assertThat(keys.add(flow.key())).as("seed %d: %s", seed, flow).isTrue();
          }
        });
  }

  @Test
  void everyFlowHasTheCookieOfItsOwner() {
    everyPlan(
        (seed, plan) ->
            plan.flows()
                .fragments()
                .forEach(
                    (cookie, fragment) -> {
                      assertThat(cookie).isEqualTo(Cookies.of(fragment.owner()));
                      assertThat(Cookies.isOurs(cookie)).isTrue();
                      assertThat(fragment.flows())
                          .as("seed %d: %s", seed, fragment.owner())
                          .allMatch(flow -> flow.cookie() == cookie);
                    }));
  }

  @Test
  void everyMeterThatAFlowUsesIsPlannedWithIt() {
    everyPlan(
        (seed, plan) -> {
          Set<Integer> ids = new HashSet<>();
          for (Fragment fragment : plan.flows().fragments().values()) {
            Set<Integer> planned = new HashSet<>();
            fragment.meters().forEach(meter -> planned.add(meter.id()));
            Set<Integer> used = new HashSet<>();
            fragment.flows().forEach(flow -> used.addAll(meters(flow)));
            assertThat(used).as("seed %d: %s", seed, fragment.owner()).isEqualTo(planned);
            planned.forEach(id -> assertThat(ids.add(id)).as("seed %d: %d", seed, id).isTrue());
          }
        });
  }

  /** Open vSwitch takes one meter a flow, and only as the first action. */
  private static List<Integer> meters(Flow flow) {
    List<Integer> ids = new ArrayList<>();
    for (int i = 0; i < flow.actions().size(); i++) {
      if (flow.actions().get(i) instanceof Action.Meter meter) {
        assertThat(i).as("%s", flow).isZero();
        ids.add(meter.id());
      }
    }
    return ids;
  }

  @Test
  @DisplayName("F26: every table ends; what no flow wants is gone")
  void everyTableEnds() {
    everyPlan(
        (seed, plan) -> {
          for (PipelineTable table : PipelineTable.values()) {
            List<Flow> ends =
                flows(plan).stream()
                    .filter(flow -> flow.table() == table.number() && flow.priority() == 0)
                    .toList();
            assertThat(ends).as("seed %d: %s", seed, table).hasSize(1);
            assertThat(ends.get(0).match()).isEqualTo(Match.ANY);
            assertThat(ends.get(0).actions())
                .isEqualTo(
                    Optional.ofNullable(GOES_ON.get(table))
                        .map(next -> List.of(Actions.resubmit(next.number())))
                        .orElse(List.of()));
          }
        });
  }

  @Test
  @DisplayName("F18, F41: a resource is planned or a problem, never both and never neither")
  void plannedOrProblem() {
    for (long seed = 0; seed < ROUNDS; seed++) {
      RandomPolicies chance = new RandomPolicies(new SplittableRandom(seed));
      Policy policy = chance.policy();
      Facts facts = chance.facts();
      Plan plan = PolicyPlanner.plan(policy, facts, RandomPolicies.SITE, FlowPlan.EMPTY);
      Set<String> problems = new HashSet<>();
      plan.problems().forEach(problem -> problems.add(problem.resource()));
      Set<String> owners = new HashSet<>();
      plan.flows().fragments().values().forEach(fragment -> owners.add(fragment.owner()));
      List<String> wanted = new ArrayList<>();
      policy.networks().values().forEach(network -> wanted.add(network.key()));
      policy.peerings().values().forEach(peering -> wanted.add(peering.key()));
      policy.localPorts().values().stream()
          .filter(port -> port.enabled())
          .forEach(port -> wanted.add(port.key()));
      if (facts.tunnelPort().isPresent()) {
        policy.remotePorts().values().forEach(port -> wanted.add(port.key()));
      }
      for (String resource : wanted) {
        assertThat(owners.contains(resource))
            .as("seed %d: %s, problems %s", seed, resource, plan.problems())
            .isNotEqualTo(problems.contains(resource));
      }
    }
  }

  @Test
  void aDevicelessPortIsPendingAndAContradictionIsRejected() {
    everyPlan(
        (seed, plan) ->
            assertThat(plan.problems())
                .allMatch(
                    problem ->
                        (problem.reason().contains("already that of")
                                || problem.reason().contains("not applied here")
                                || problem.reason().contains("is not known here")
                                || problem.reason().contains("no VTEP")
                                || problem.resource().contains("/peerings/"))
                            ? problem.kind() == Problem.Kind.REJECTED
                            : problem.kind() == Problem.Kind.PENDING));
  }

  private static List<Flow> flows(Plan plan) {
    return plan.flows().flows();
  }
}
