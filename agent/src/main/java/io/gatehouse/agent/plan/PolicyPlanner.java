package io.gatehouse.agent.plan;

import io.gatehouse.agent.plan.security.ZonePlanner;
import io.gatehouse.agent.state.Facts;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.PortZone;
import io.gatehouse.agent.state.Problem;
import io.gatehouse.agent.state.Site;
import io.gatehouse.agent.state.planned.FlowPlan;
import io.gatehouse.agent.state.planned.KernelPlan;
import io.gatehouse.agent.state.planned.Plan;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.NetworkPolicy;
import io.gatehouse.model.policy.PolicyResource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The plan of the whole DPU. A resource that cannot be planned is closed and named; the rest goes
 * on.
 */
public final class PolicyPlanner {
  private PolicyPlanner() {}

  /**
   * Plans a policy.
   *
   * @param previous flows of an earlier plan, to take over what is the same; {@link FlowPlan#EMPTY}
   *     is always right
   */
  public static Plan plan(Policy policy, Facts facts, Site site, FlowPlan previous) {
    List<Problem> problems = new ArrayList<>(PolicyChecker.check(policy, site));
    Policy sound = without(policy, problems);
    List<BoundPort> ports = withZones(bind(sound, facts, problems), facts, problems);
    return new Plan(
        policy.revision(),
        BridgePlanner.plan(sound, site, ports),
        kernel(site, devices(ports)),
        FlowPlanner.plan(sound, ports, facts, previous),
        problems);
  }

  /** In userspace the DPU's stack sees a copy of every frame; in the kernel the switch takes it. */
  private static KernelPlan kernel(Site site, SortedSet<String> devices) {
    SortedSet<String> guarded =
        site.datapath() == Site.Datapath.NETDEV ? devices : Collections.emptySortedSet();
    return new KernelPlan(devices, guarded, site.underlay());
  }

  private static Policy without(Policy policy, List<Problem> problems) {
    if (problems.isEmpty()) {
      return policy;
    }
    Set<String> refused = problems.stream().map(Problem::resource).collect(Collectors.toSet());
    List<PolicyResource> sound =
        Stream.of(
                policy.networks(),
                policy.localPorts(),
                policy.remotePorts(),
                policy.vteps(),
                policy.groups(),
                policy.peerings())
            .flatMap(resources -> resources.values().stream())
            .map(PolicyResource.class::cast)
            .filter(resource -> !refused.contains(resource.key()))
            .toList();
    return Policy.of(policy.revision(), sound);
  }

  private static SortedSet<String> devices(List<BoundPort> ports) {
    SortedSet<String> devices = new TreeSet<>();
    ports.forEach(bound -> devices.add(bound.device()));
    return devices;
  }

  /** The ports that carry traffic, with their devices; a port without its device is pending. */
  private static List<BoundPort> bind(Policy policy, Facts facts, List<Problem> problems) {
    List<BoundPort> ports = new ArrayList<>();
    Map<String, LocalPortPolicy> taken = new LinkedHashMap<>();
    for (LocalPortPolicy port : policy.localPorts().values()) {
      if (!port.enabled()) {
        continue;
      }
      String device = facts.devices().get(port.function());
      if (device == null) {
        problems.add(Problem.pending(port.key(), "function " + port.function() + " is not there"));
        continue;
      }
      LocalPortPolicy other = taken.putIfAbsent(device, port);
      if (other != null) {
        problems.add(
            Problem.rejected(
                port.key(), "device " + device + " is already that of " + other.key()));
        continue;
      }
      String bridge = facts.otherBridges().get(device);
      if (bridge != null) {
        problems.add(
            Problem.pending(
                port.key(),
                "device " + device + " is on bridge " + bridge + ", which is not Gatehouse's"));
        continue;
      }
      if (facts.openFlowPort(device).isEmpty()) {
        problems.add(Problem.pending(port.key(), noSwitchPort(device, facts)));
      }
      tooSmall(policy, port, facts.mtus().get(device)).ifPresent(problems::add);
      ports.add(new BoundPort(port, device, Optional.empty()));
    }
    return ports;
  }

  /** A device that carries less than its network: what is larger vanishes there, unseen. */
  private static Optional<Problem> tooSmall(
      Policy policy, LocalPortPolicy port, @Nullable Integer carriedBytes) {
    NetworkPolicy network = policy.networks().get(port.name().network());
    if (carriedBytes == null || network == null || carriedBytes >= network.receiveMtuBytes()) {
      return Optional.empty();
    }
    return Optional.of(
        Problem.pending(
            port.key(),
            "its device carries packets of up to "
                + carriedBytes
                + " bytes, its network of up to "
                + network.receiveMtuBytes()));
  }

  /** Gives ports with security groups their zones. */
  private static List<BoundPort> withZones(
      List<BoundPort> ports, Facts facts, List<Problem> problems) {
    SortedMap<String, String> wanted = new TreeMap<>();
    ports.stream()
        .filter(bound -> !bound.port().security().groups().isEmpty())
        .forEach(bound -> wanted.put(bound.device(), bound.port().uid()));
    if (wanted.isEmpty()) {
      return ports;
    }
    SortedMap<String, PortZone> zones = ZonePlanner.plan(wanted, facts.zones());
    List<BoundPort> zoned = new ArrayList<>();
    for (BoundPort port : ports) {
      BoundPort bound =
          new BoundPort(port.port(), port.device(), Optional.ofNullable(zones.get(port.device())));
      zoned.add(bound);
      if (facts.openFlowPort(bound.device()).isPresent() && !bound.hasItsZone(facts)) {
        problems.add(
            Problem.pending(bound.port().key(), "its connections have no zone of their own yet"));
      }
    }
    return zoned;
  }

  private static String noSwitchPort(String device, Facts facts) {
    if (facts.switchUnknown().isPresent()) {
      return "whether the switch has device "
          + device
          + " is unknown: "
          + facts.switchUnknown().get();
    }
    String error = facts.switchErrors().get(device);
    return error == null
        ? "device " + device + " has no switch port yet"
        : "the switch refuses device " + device + ": " + error;
  }
}
