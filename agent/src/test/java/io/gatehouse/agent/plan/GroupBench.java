package io.gatehouse.agent.plan;

import io.gatehouse.agent.diff.FlowDiff;
import io.gatehouse.agent.fixture.Groups;
import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.fixture.RandomPolicies;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.state.Facts;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.PortZone;
import io.gatehouse.agent.state.Site;
import io.gatehouse.agent.state.observed.FlowView;
import io.gatehouse.agent.state.planned.FlowPlan;
import io.gatehouse.agent.state.planned.Plan;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.PolicyResource;
import io.gatehouse.model.security.SecurityRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Plans security groups: 1 000 ports with 10 groups each of 100 rules each, out of 100 groups; and
 * a group of 1 000 rules for a group of 1 000 members that gets one more. Not a test: it asserts
 * nothing. Argument: rounds.
 */
public final class GroupBench {
  private static final Site SITE = RandomPolicies.SITE;
  private static final int PORTS = 1_000;
  private static final int GROUPS = 100;
  private static final int GROUPS_A_PORT = 10;
  private static final int RULES = 100;
  private static final int MEMBERS = 1_000;

  private GroupBench() {}

  public static void main(String[] arguments) {
    int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20;
    manyGroups(rounds);
    oneMemberMore(rounds);
  }

  private static void manyGroups(int rounds) {
    Policy policy = Policy.of(1, manyGroups(Groups.tcp(9_000, 9_000)));
    Facts facts = facts(PORTS);
    Plan plan = PolicyPlanner.plan(policy, facts, SITE, FlowPlan.EMPTY);
    long rules = (long) GROUPS * RULES;
    long ofGroups =
        plan.flows().fragments().values().stream()
            .filter(fragment -> fragment.owner().contains("/securityGroups/"))
            .mapToLong(fragment -> fragment.flows().size())
            .sum();
    System.out.printf(
        "%d ports x %d groups x %d rules out of %d groups: %d flows, %d of groups, %.2f for each of %d"
            + " rules; a copy for each port would be %d; %d problems%n",
        PORTS,
        GROUPS_A_PORT,
        RULES,
        GROUPS,
        count(plan.flows()),
        ofGroups,
        (double) ofGroups / rules,
        rules,
        (long) PORTS * GROUPS_A_PORT * RULES,
        plan.problems().size());
    print(
        "full plan",
        rounds,
        round -> () -> PolicyPlanner.plan(policy, facts, SITE, FlowPlan.EMPTY));
    FlowView view = view(plan.flows());
    FlowDiff.Comparison known = FlowDiff.diff(plan.flows(), view, FlowDiff.Comparison.NONE);
    // As it comes from the stream: one resource is new, the others are the very same objects.
    print(
        "one rule changed: plan and diff",
        rounds,
        round -> {
          List<PolicyResource> changed = new ArrayList<>(policy.groups().values());
          changed.set(round % GROUPS, group(round % GROUPS, Groups.tcp(9_001, 9_001)));
          changed.addAll(policy.localPorts().values());
          changed.addAll(policy.networks().values());
          Policy next = Policy.of(2, changed);
          return () ->
              FlowDiff.diff(
                  PolicyPlanner.plan(next, facts, SITE, plan.flows()).flows(), view, known);
        });
  }

  private static List<PolicyResource> manyGroups(io.gatehouse.model.security.Traffic last) {
    List<PolicyResource> resources = new ArrayList<>();
    resources.add(Policies.network("t/n", 7, "10.0.0.0/16"));
    for (int group = 0; group < GROUPS; group++) {
      resources.add(group(group, last));
    }
    for (int port = 0; port < PORTS; port++) {
      int first = port;
      String[] groups =
          IntStream.range(0, GROUPS_A_PORT)
              .mapToObj(i -> "t/g" + (first + i * 7) % GROUPS)
              .toArray(String[]::new);
      resources.add(Groups.with(port(port), groups));
    }
    return resources;
  }

  /** A third of the rules for all, a third for a prefix, a third for another group. */
  private static PolicyResource group(int number, io.gatehouse.model.security.Traffic last) {
    List<SecurityRule> rules = new ArrayList<>();
    for (int rule = 0; rule < RULES - 1; rule++) {
      rules.add(
          switch (rule % 3) {
            case 0 -> Groups.in(Groups.tcp(1_000 + rule, 1_000 + rule), Groups.ANYWHERE);
            case 1 ->
                Groups.in(
                    Groups.udp(1_000 + rule, 1_000 + rule),
                    Groups.prefix("10.0." + rule + ".0/24"));
            default ->
                Groups.out(
                    Groups.tcp(1_000 + rule, 1_003 + rule),
                    Groups.members("t/g" + (number + rule % 2) % GROUPS));
          });
    }
    rules.add(Groups.in(last, Groups.ANYWHERE));
    return Groups.group("t/g" + number, rules.toArray(new SecurityRule[0]));
  }

  private static void oneMemberMore(int rounds) {
    Facts facts = facts(1);
    FlowPlan before =
        PolicyPlanner.plan(Policy.of(1, members(MEMBERS)), facts, SITE, FlowPlan.EMPTY).flows();
    Policy more = Policy.of(2, members(MEMBERS + 1));
    FlowView view = view(before);
    FlowDiff.Comparison known = FlowDiff.diff(before, view, FlowDiff.Comparison.NONE);
    FlowPlan after = PolicyPlanner.plan(more, facts, SITE, before).flows();
    long ofGroup =
        FlowDiff.diff(after, view, known).change().adds().stream()
            .filter(flow -> flow.match().toString().contains("ct_nw_src"))
            .count();
    System.out.printf(
        "a group of %d rules for %d members: %d flows; one member more writes %d flows, %d of them of"
            + " the group%n",
        MEMBERS,
        MEMBERS,
        count(before),
        FlowDiff.diff(after, view, known).change().size(),
        ofGroup);
    print(
        "one member more: plan and diff",
        rounds,
        round ->
            () ->
                FlowDiff.diff(PolicyPlanner.plan(more, facts, SITE, before).flows(), view, known));
  }

  private static List<PolicyResource> members(int count) {
    List<PolicyResource> resources = new ArrayList<>();
    resources.add(Policies.network("t/n", 7, "10.0.0.0/16"));
    resources.add(Policies.vtep("dpu-1", "192.0.2.2"));
    List<SecurityRule> rules = new ArrayList<>();
    for (int rule = 0; rule < MEMBERS; rule++) {
      rules.add(Groups.in(Groups.tcp(1_000 + rule, 1_000 + rule), Groups.members("t/clients")));
    }
    resources.add(Groups.group("t/g", rules.toArray(new SecurityRule[0])));
    resources.add(Groups.with(port(0), "t/g"));
    for (int member = 1; member <= count; member++) {
      resources.add(
          Groups.with(
              Policies.remotePort("t/n/r" + member, "dpu-1", mac(member), address(member)),
              "t/clients"));
    }
    return resources;
  }

  private static LocalPortPolicy port(int number) {
    return Policies.localPort("t/n/p" + number, "f" + number, mac(number), address(number));
  }

  private static String mac(int number) {
    return "02:00:00:00:%02x:%02x".formatted(number >> 8, number & 0xff);
  }

  private static String address(int number) {
    return "10.0." + (1 + number / 200) + "." + (1 + number % 200);
  }

  private static Facts facts(int ports) {
    Map<String, String> devices = new HashMap<>();
    Map<String, Integer> numbers = new HashMap<>();
    Map<String, PortZone> zones = new HashMap<>();
    numbers.put(Site.TUNNEL_PORT, 65_000);
    for (int port = 0; port < ports; port++) {
      devices.put("f" + port, "rep" + port);
      numbers.put("rep" + port, port + 1);
      zones.put("rep" + port, new PortZone(port + 1, "uid-1"));
    }
    return new Facts(devices, numbers, Map.of(), Map.of(), zones, Map.of(), Optional.empty());
  }

  private static int count(FlowPlan plan) {
    return plan.fragments().values().stream().mapToInt(f -> f.flows().size()).sum();
  }

  private static FlowView view(FlowPlan plan) {
    Map<Long, List<Flow>> flows = new HashMap<>();
    plan.fragments().forEach((cookie, f) -> flows.put(cookie, List.copyOf(f.flows())));
    return new FlowView(flows, Set.of());
  }

  private static void print(String what, int rounds, IntFunction<Runnable> work) {
    double[] millis = new double[rounds];
    for (int round = -rounds; round < rounds; round++) {
      Runnable task = work.apply(Math.abs(round));
      long start = System.nanoTime();
      task.run();
      millis[Math.max(round, 0)] = (System.nanoTime() - start) / 1e6;
    }
    Arrays.sort(millis);
    System.out.printf(
        "%-32s p50 %.2f ms, p90 %.2f, max %.2f%n",
        what, millis[rounds / 2], millis[rounds * 9 / 10], millis[rounds - 1]);
  }
}
