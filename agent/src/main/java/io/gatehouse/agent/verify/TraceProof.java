package io.gatehouse.agent.verify;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.prove.Expectation;
import io.gatehouse.agent.prove.Ground;
import io.gatehouse.agent.prove.Ledger;
import io.gatehouse.agent.prove.Place;
import io.gatehouse.agent.prove.Probe;
import io.gatehouse.agent.prove.WalkProof;
import io.gatehouse.agent.state.proof.Finding.Method;
import io.gatehouse.agent.state.proof.PacketClass;
import io.gatehouse.agent.trace.Trace;
import io.gatehouse.agent.walk.Packet;
import io.gatehouse.model.net.MacAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Asks the running switch about probes, and enters what came of them. For one thread. */
final class TraceProof {
  private static final int SHOWN_FLOWS = 16;

  private final Ground ground;
  private final Expectation expectation;
  private final WalkProof plan;
  private final Ledger ledger;
  private final Tracer tracer;
  private final Set<Known> known = new HashSet<>();
  private final boolean hasGroups;

  /** What a trace tells of a flow. */
  private record Known(int table, int priority, long cookie) {}

  TraceProof(Ground ground, WalkProof plan, Ledger ledger, Tracer tracer) {
    this.ground = ground;
    this.expectation = new Expectation(ground);
    this.plan = plan;
    this.ledger = ledger;
    this.tracer = tracer;
    this.hasGroups =
        ground.locals().values().stream().anyMatch(port -> !port.security().groups().isEmpty());
    for (Flow flow : plan.planned()) {
      known.add(new Known(flow.table(), flow.priority(), flow.cookie()));
    }
  }

  /** Traces as long as there is time; says how many. */
  long trace(Stream<Probe> probes, BooleanSupplier goesOn)
      throws DeviceException, InterruptedException {
    long traced = 0;
    for (Iterator<Probe> each = probes.iterator(); goesOn.getAsBoolean() && each.hasNext(); ) {
      Probe probe = each.next();
      if (isForWalksOnly(probe)) {
        continue;
      }
      Trace trace = tracer.trace(probe.packet());
      Ledger.Blame blame = blame(trace.steps());
      ledger.enter(
          probe,
          expectation.of(probe.from(), probe.packet()),
          Method.TRACE,
          arrivals(probe.packet(), trace, blame),
          blame);
      traced++;
    }
    return traced;
  }

  /**
   * A trace has the tuple of a connection for the first copy only, and would call the others
   * blocked; and it follows a packet of every size at once. The walk judges such packets alone.
   */
  private boolean isForWalksOnly(Probe probe) {
    boolean group = new MacAddress(probe.packet().get(Field.ETH_DST).low()).isGroup();
    return (hasGroups && group) || probe.kind() == PacketClass.TOO_LARGE;
  }

  private Map<Place, Ledger.Blame> arrivals(Packet packet, Trace trace, Ledger.Blame blame) {
    Map<Place, Ledger.Blame> arrivals = new HashMap<>();
    for (Trace.Sent sent : trace.sent()) {
      Packet left = Packet.from(packet.inPort()).with(Field.TUN_ID, sent.tunnelId());
      if (sent.tunnelDestination().isPresent()) {
        left = left.with(Field.TUN_DST, Field.TUN_IPV6_DST, sent.tunnelDestination().get());
      }
      arrivals.put(ground.destination(sent.port(), left), blame);
    }
    if (trace.floods()) {
      arrivals.put(new Place.Unknown("every port of the switch"), blame);
    }
    return arrivals;
  }

  private Ledger.Blame blame(List<Trace.Step> steps) {
    List<Trace.Step> guilty = new ArrayList<>();
    List<Trace.Step> others = new ArrayList<>();
    for (int i = steps.size() - 1; i >= 0; i--) {
      (isPlanned(steps.get(i)) ? others : guilty).add(steps.get(i));
    }
    String owner = guilty.isEmpty() && !others.isEmpty() ? plan.owner(others.get(0).cookie()) : "";
    guilty.addAll(others);
    return new Ledger.Blame(
        guilty.stream().limit(SHOWN_FLOWS).map(Trace.Step::toString).toList(), owner);
  }

  private boolean isPlanned(Trace.Step step) {
    return known.contains(new Known(step.table(), step.priority(), step.cookie()));
  }
}
