package io.gatehouse.agent.diff;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.fixture.FakeFlowTable;
import io.gatehouse.agent.fixture.RandomPolicies;
import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.plan.PolicyPlanner;
import io.gatehouse.agent.state.change.FlowChange;
import io.gatehouse.agent.state.observed.FlowView;
import io.gatehouse.agent.state.planned.FlowPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whatever the switch has, the difference makes it the plan, and then there is none. */
final class FlowDiffTest {
  private static final int ROUNDS = 300;

  private static FlowPlan plan(SplittableRandom random) {
    RandomPolicies chance = new RandomPolicies(random);
    return PolicyPlanner.plan(chance.policy(), chance.facts(), RandomPolicies.SITE, FlowPlan.EMPTY)
        .flows();
  }

  /** Makes what is there something else: of others, of ours and changed, strange, gone. */
  private static void spoil(FakeFlowTable table, List<Flow> planned, SplittableRandom random) {
    for (Flow flow : planned) {
      switch (random.nextInt(8)) {
        case 0 -> table.remove(flow.key());
        case 1 -> table.put(with(flow, flow.cookie(), List.of(Actions.output(9))));
        case 2 -> table.put(with(flow, 7, flow.actions()));
        case 3 -> table.putStrange(flow);
        case 4 -> table.putStrange(with(flow, 8, List.of()));
        case 5 -> {
          Flow another = planned.get(random.nextInt(planned.size()));
          table.put(with(flow, another.cookie(), flow.actions()));
        }
        default -> table.put(flow);
      }
    }
    for (int i = 0; i < random.nextInt(5); i++) {
      long cookie = random.nextBoolean() ? 0 : planned.get(0).cookie();
      Flow foreign =
          new Flow(
              random.nextInt(254),
              random.nextInt(0x10000),
              cookie,
              Match.builder().metadata(i).build(),
              List.of(Actions.output(Actions.NORMAL)));
      if (random.nextBoolean()) {
        table.put(foreign);
      } else {
        table.putStrange(foreign);
      }
    }
  }

  private static Flow with(Flow flow, long cookie, List<Action> actions) {
    return new Flow(flow.table(), flow.priority(), cookie, flow.match(), actions);
  }

  private static List<Flow> flows(FlowPlan plan) {
    List<Flow> flows = new ArrayList<>();
    plan.fragments().values().forEach(fragment -> flows.addAll(fragment.flows()));
    return flows;
  }

  @Test
  @DisplayName("F15, F19: garbage becomes the plan in one change, and the next change is empty")
  void garbageBecomesThePlan() {
    for (long seed = 0; seed < ROUNDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      FlowPlan plan = plan(random);
      FakeFlowTable table = new FakeFlowTable();
      spoil(table, flows(plan), random);

      table.apply(FlowDiff.diff(plan, table.view(), FlowDiff.Comparison.NONE).change());

      assertThat(table.holdsExactly(plan)).as("seed %d", seed).isTrue();
      assertThat(FlowDiff.diff(plan, table.view(), FlowDiff.Comparison.NONE).change())
          .as("seed %d", seed)
          .isEqualTo(FlowChange.NONE);
    }
  }

  @Test
  void theComparisonBeforeChangesNothing() {
    FlowDiff.Comparison previous = FlowDiff.Comparison.NONE;
    FakeFlowTable table = new FakeFlowTable();
    FlowPlan plan = FlowPlan.EMPTY;
    for (long seed = 0; seed < ROUNDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      plan = random.nextInt(3) == 0 || plan.fragments().isEmpty() ? plan(random) : plan;
      if (random.nextInt(3) == 0) {
        spoil(table, flows(plan), random);
      }
      FlowView view = table.view();
      FlowDiff.Comparison fresh = FlowDiff.diff(plan, view, FlowDiff.Comparison.NONE);
      FlowDiff.Comparison after = FlowDiff.diff(plan, view, previous);
      assertThat(after.change()).as("seed %d", seed).isEqualTo(fresh.change());
      table.apply(after.change());
      assertThat(table.holdsExactly(plan)).as("seed %d", seed).isTrue();
      previous = after;
    }
  }

  @Test
  @DisplayName("F11: a flow that is right is not touched, so its counters and packets live on")
  void whatIsRightIsNotTouched() {
    for (long seed = 0; seed < ROUNDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      FlowPlan from = plan(random);
      FlowPlan to = plan(random);
      FakeFlowTable table = new FakeFlowTable();
      flows(from).forEach(table::put);
      FlowChange change = FlowDiff.diff(to, table.view(), FlowDiff.Comparison.NONE).change();
      assertThat(change.purges()).isEmpty();
      List<Flow> touched = new ArrayList<>(change.deletes());
      touched.addAll(change.modifies());
      touched.addAll(change.adds());
      List<Flow> kept = new ArrayList<>(flows(from));
      kept.retainAll(flows(to));
      assertThat(touched).as("seed %d", seed).doesNotContainAnyElementsOf(kept);
    }
  }
}
