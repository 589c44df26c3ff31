package io.gatehouse.agent.plan;

import io.gatehouse.agent.diff.FlowDiff;
import io.gatehouse.agent.path.PathPartners;
import io.gatehouse.agent.state.Facts;
import io.gatehouse.agent.state.PipelineTable;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.observed.FlowView;
import io.gatehouse.agent.state.planned.FlowPlan;
import io.gatehouse.agent.state.planned.Plan;
import io.gatehouse.model.policy.NetworkPolicy;
import io.gatehouse.model.policy.PolicyResource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * What MTUs cost the plan of {@link PlanBench}: each part beside a full plan without it, in turn in
 * one run, as a ratio of medians. Not a test: it asserts nothing. Argument: rounds.
 */
public final class MtuPlanBench {
  private static final int DEVICE_MTU = 9_216;
  private static final int LARGER_MTU = 8_950;

  private final int rounds;
  private final Facts facts = PlanBench.facts();
  private final Facts withMtus = withMtus(facts);
  private final List<PolicyResource> resources = PlanBench.resources(-1);
  private final Policy policy = Policy.of(1, resources);

  private MtuPlanBench(int rounds) {
    this.rounds = rounds;
  }

  public static void main(String[] arguments) {
    new MtuPlanBench(arguments.length > 0 ? Integer.parseInt(arguments[0]) : 300).run();
  }

  private void run() {
    Plan plan = plan(policy, withMtus, FlowPlan.EMPTY);
    FlowView view = PlanBench.view(plan);
    FlowDiff.Comparison known = FlowDiff.diff(plan.flows(), view, FlowDiff.Comparison.NONE);
    System.out.printf(
        "%d flows, %d of them check sizes or answer what is too large%n",
        flows(plan).count(), flows(plan).filter(table -> isOfMtu(table)).count());
    List<String> names = policy.networks().keySet().stream().map(Object::toString).toList();
    print(
        "a device's MTU compared with its network's, of all ports",
        round -> () -> plan(policy, withMtus, FlowPlan.EMPTY));
    print(
        "and the sizes that paths to all partners need",
        round ->
            () -> {
              plan(policy, withMtus, FlowPlan.EMPTY);
              PathPartners.of(policy, PlanBench.SITE.vtep());
            });
    print(
        "the MTU of one network changes: plan and diff",
        round -> {
          Policy changed = larger(names.get(round % names.size()));
          return () -> diff(plan(changed, withMtus, plan.flows()), view, known);
        });
    Policy all = larger("");
    print(
        "the MTU of every network changes: plan and diff",
        round -> () -> diff(plan(all, withMtus, plan.flows()), view, known));
  }

  private static Plan plan(Policy policy, Facts facts, FlowPlan previous) {
    return PolicyPlanner.plan(policy, facts, PlanBench.SITE, previous);
  }

  private static void diff(Plan plan, FlowView view, FlowDiff.Comparison known) {
    FlowDiff.diff(plan.flows(), view, known);
  }

  /** Another MTU for the networks whose name begins so. */
  private Policy larger(String prefix) {
    return Policy.of(
        2,
        resources.stream()
            .map(
                one ->
                    one instanceof NetworkPolicy network
                            && network.name().toString().startsWith(prefix)
                        ? larger(network)
                        : one)
            .toList());
  }

  private static PolicyResource larger(NetworkPolicy network) {
    return new NetworkPolicy(
        network.name(), network.vni(), network.cidrs(), LARGER_MTU, network.hosts());
  }

  private static Facts withMtus(Facts facts) {
    Map<String, Integer> mtus = new HashMap<>();
    facts.devices().values().forEach(device -> mtus.put(device, DEVICE_MTU));
    return new Facts(
        facts.devices(),
        facts.openFlowPorts(),
        facts.switchErrors(),
        facts.otherBridges(),
        facts.zones(),
        mtus,
        facts.switchUnknown());
  }

  private static Stream<Integer> flows(Plan plan) {
    return plan.flows().fragments().values().stream()
        .flatMap(fragment -> fragment.flows().stream())
        .map(flow -> flow.key().table());
  }

  private static boolean isOfMtu(int table) {
    return table == PipelineTable.MTU.number() || table == PipelineTable.OVERSIZE.number();
  }

  private void print(String what, IntFunction<Runnable> work) {
    double[] plain = new double[rounds];
    double[] with = new double[rounds];
    for (int round = -rounds; round < rounds; round++) {
      double one = millis(() -> plan(policy, facts, FlowPlan.EMPTY));
      double other = millis(work.apply(Math.abs(round)));
      if (round >= 0) {
        plain[round] = one;
        with[round] = other;
      }
    }
    Arrays.sort(plain);
    Arrays.sort(with);
    System.out.printf(
        Locale.ROOT,
        "%-58s p50 %.2f ms, p99 %.2f; full plan without: p50 %.2f ms, p99 %.2f; ratio %.3f%n",
        what,
        with[rounds / 2],
        with[rounds * 99 / 100],
        plain[rounds / 2],
        plain[rounds * 99 / 100],
        with[rounds / 2] / plain[rounds / 2]);
  }

  private static double millis(Runnable work) {
    long start = System.nanoTime();
    work.run();
    return (System.nanoTime() - start) / 1e6;
  }
}
