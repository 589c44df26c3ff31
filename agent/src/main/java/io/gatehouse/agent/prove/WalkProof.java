package io.gatehouse.agent.prove;

import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.state.Cookies;
import io.gatehouse.agent.state.planned.FlowPlan;
import io.gatehouse.agent.state.planned.Fragment;
import io.gatehouse.agent.state.proof.Finding.Method;
import io.gatehouse.agent.walk.Delivery;
import io.gatehouse.agent.walk.FlowTables;
import io.gatehouse.agent.walk.PacketWalker;
import io.gatehouse.agent.walk.Walked;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Walks probes over flows, and enters what came of them. For one thread. */
public final class WalkProof {
  private static final int SHOWN_FLOWS = 16;

  private final Ground ground;
  private final Expectation expectation;
  private final Ledger ledger;
  private final FlowPlan plan;
  private final Set<Flow> planned = new HashSet<>();
  private final Set<Flow> used = new HashSet<>();

  /**
   * Makes a proof.
   *
   * @param plan says which flows are planned, and whose they are
   */
  public WalkProof(Ground ground, FlowPlan plan, Ledger ledger) {
    this.ground = ground;
    this.expectation = new Expectation(ground);
    this.ledger = ledger;
    this.plan = plan;
    planned.addAll(plan.flows());
  }

  /** The flows that are planned. */
  public Set<Flow> planned() {
    return planned;
  }

  /**
   * Walks.
   *
   * @param flows those of the switch, or those that are planned for it
   * @param goesOn false when there is no more time
   * @return how many were walked; fewer than there are if the time was over
   */
  public long walk(
      Stream<Probe> probes, Collection<Flow> flows, Method method, BooleanSupplier goesOn) {
    PacketWalker walker = new PacketWalker(new FlowTables(flows), ground.switchPorts());
    long walked = 0;
    for (Iterator<Probe> each = probes.iterator(); goesOn.getAsBoolean() && each.hasNext(); ) {
      Probe probe = each.next();
      Walked outcome = walker.walkOpening(probe.packet());
      used.addAll(outcome.used());
      ledger.enter(
          probe,
          expectation.of(probe.from(), probe.packet()),
          method,
          arrivals(outcome),
          blame(new ArrayList<>(outcome.used())));
      walked++;
    }
    return walked;
  }

  /** Planned flows that no packet of this proof has met, in the order of the pipeline. */
  public List<Flow> unexercised() {
    return planned.stream()
        .filter(flow -> !used.contains(flow))
        .sorted(
            java.util.Comparator.comparingInt(Flow::table)
                .thenComparing(java.util.Comparator.comparingInt(Flow::priority).reversed())
                .thenComparing(flow -> flow.match().toString()))
        .toList();
  }

  private Map<Place, Ledger.Blame> arrivals(Walked outcome) {
    Map<Place, Ledger.Blame> arrivals = new HashMap<>();
    for (Delivery delivery : outcome.deliveries()) {
      arrivals.putIfAbsent(
          ground.destination(delivery.port(), delivery.packet()), blame(delivery.path()));
    }
    for (Walked.Unknown unknown : outcome.unknown()) {
      arrivals.putIfAbsent(
          new Place.Unknown("anywhere, by " + unknown.action()), blame(unknown.path()));
    }
    return arrivals;
  }

  /**
   * What nobody planned is to blame before what is planned, and the end of the way before its
   * start.
   */
  private Ledger.Blame blame(List<Flow> path) {
    List<Flow> guilty = new ArrayList<>();
    List<Flow> others = new ArrayList<>();
    for (int i = path.size() - 1; i >= 0; i--) {
      (planned.contains(path.get(i)) ? others : guilty).add(path.get(i));
    }
    guilty.addAll(others);
    if (guilty.isEmpty()) {
      return Ledger.Blame.NONE;
    }
    List<String> shown = guilty.stream().limit(SHOWN_FLOWS).map(Flow::toString).toList();
    Flow first = guilty.get(0);
    return new Ledger.Blame(shown, planned.contains(first) ? owner(first.cookie()) : "");
  }

  /** The resource that a cookie stands for, empty if none. */
  public String owner(long cookie) {
    Fragment fragment = plan.fragments().get(cookie);
    return fragment == null || !Cookies.isOurs(cookie) ? "" : fragment.owner();
  }
}
