package io.gatehouse.agent.plan;

import io.gatehouse.agent.diff.FlowDiff;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.state.Facts;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.Site;
import io.gatehouse.agent.state.observed.FlowView;
import io.gatehouse.agent.state.planned.FlowPlan;
import io.gatehouse.agent.state.planned.Plan;
import io.gatehouse.model.HostConfiguration;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.net.Vni;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.NetworkPolicy;
import io.gatehouse.model.policy.PolicyResource;
import io.gatehouse.model.policy.RemotePortPolicy;
import io.gatehouse.model.policy.VtepPolicy;
import io.gatehouse.model.security.PortSecurity;
import io.gatehouse.model.security.RateLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Plans a DPU with 1 000 ports in 200 networks, and as many ports elsewhere: all of it, and again
 * after one port has changed, with the diff to what the switch has. Not a test: it asserts nothing.
 * Argument: rounds.
 */
public final class PlanBench {
  private static final int PORTS = 1_000;
  private static final int NETWORKS = 200;
  private static final int PEERS = 50;
  private static final DpuName DPU = new DpuName("bench");
  static final Site SITE =
      new Site(DPU, IpAddress.parse("172.16.0.1"), Site.Datapath.NETDEV, Optional.empty());

  private PlanBench() {}

  public static void main(String[] arguments) {
    int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 500;
    Facts facts = facts();
    Policy policy = policy(1, -1);
    Plan plan = PolicyPlanner.plan(policy, facts, SITE, FlowPlan.EMPTY);
    System.out.printf(
        "%d local and %d remote ports, %d networks: %d flows, %d problems%n",
        PORTS, PORTS, NETWORKS, count(plan), plan.problems().size());
    print(
        "full plan",
        rounds,
        round -> () -> PolicyPlanner.plan(policy, facts, SITE, FlowPlan.EMPTY));
    FlowView view = view(plan);
    FlowDiff.Comparison known = FlowDiff.diff(plan.flows(), view, FlowDiff.Comparison.NONE);
    print(
        "full diff",
        rounds,
        round -> () -> FlowDiff.diff(plan.flows(), view, FlowDiff.Comparison.NONE));
    print(
        "one port changed: plan and diff",
        rounds,
        round -> {
          Policy changed = policy(2, round % PORTS);
          return () ->
              FlowDiff.diff(
                  PolicyPlanner.plan(changed, facts, SITE, plan.flows()).flows(), view, known);
        });
  }

  private static int count(Plan plan) {
    return plan.flows().fragments().values().stream().mapToInt(f -> f.flows().size()).sum();
  }

  static FlowView view(Plan plan) {
    Map<Long, List<Flow>> flows = new HashMap<>();
    plan.flows().fragments().forEach((cookie, f) -> flows.put(cookie, List.copyOf(f.flows())));
    return new FlowView(flows, java.util.Set.of());
  }

  private static void print(String what, int rounds, IntFunction<Runnable> work) {
    for (int round = 0; round < rounds; round++) {
      work.apply(round).run();
    }
    double[] millis = new double[rounds];
    for (int round = 0; round < rounds; round++) {
      Runnable task = work.apply(round);
      long start = System.nanoTime();
      task.run();
      millis[round] = (System.nanoTime() - start) / 1e6;
    }
    Arrays.sort(millis);
    System.out.printf(
        "%-32s p50 %.2f ms, p90 %.2f, p99 %.2f, max %.2f%n",
        what,
        millis[rounds / 2],
        millis[rounds * 9 / 10],
        millis[rounds * 99 / 100],
        millis[rounds - 1]);
  }

  static Facts facts() {
    Map<String, String> devices = new HashMap<>();
    Map<String, Integer> ports = new HashMap<>();
    ports.put(Site.TUNNEL_PORT, 65_000);
    for (int i = 0; i < PORTS; i++) {
      devices.put("pf0vf" + i, "rep" + i);
      ports.put("rep" + i, i + 1);
    }
    return Facts.of(devices, ports);
  }

  /** The policy; the port of number {@code changed} has another MAC address. */
  private static Policy policy(long revision, int changed) {
    return Policy.of(revision, resources(changed));
  }

  static List<PolicyResource> resources(int changed) {
    List<PolicyResource> resources = new ArrayList<>();
    for (int peer = 0; peer < PEERS; peer++) {
      resources.add(new VtepPolicy(peer(peer), IpAddress.parse("172.16.1." + (peer + 1))));
    }
    for (int n = 0; n < NETWORKS; n++) {
      Cidr cidr = Cidr.parse("10.0.0.0/24");
      resources.add(
          new NetworkPolicy(
              network(n), new Vni(1_000 + n), List.of(cidr), 1_450, HostConfiguration.DEFAULT));
    }
    for (int i = 0; i < PORTS; i++) {
      resources.add(
          new LocalPortPolicy(
              name("local", i),
              "uid-" + i,
              "pf0vf" + i,
              new MacAddress((i == changed ? 0x0200_0002_0000L : 0x0200_0000_0000L) + i),
              addresses(i / NETWORKS + 1),
              true,
              PortSecurity.NONE,
              RateLimits.NONE,
              Optional.empty()));
      resources.add(
          new RemotePortPolicy(
              name("remote", i),
              "uid-" + i,
              new MacAddress(0x0200_0001_0000L + i),
              addresses(i / NETWORKS + 101),
              peer(i % PEERS),
              PortSecurity.NONE));
    }
    return resources;
  }

  private static List<IpAddress> addresses(int host) {
    return List.of(IpAddress.parse("10.0.0." + host), IpAddress.parse("fd00::" + host));
  }

  private static PortName name(String word, int number) {
    return PortName.parse(network(number % NETWORKS) + "/ports/" + word + "-" + number);
  }

  private static NetworkName network(int number) {
    return NetworkName.parse("tenants/bench/networks/n" + number);
  }

  private static DpuName peer(int number) {
    return new DpuName("peer" + number);
  }
}
