package io.gatehouse.agent.plan;

import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.state.planned.FlowPlan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Walks packets through planned flows as Open vSwitch does: the first match by priority, {@code
 * resubmit} keeps what it changed, a packet never goes out where it came in unless told so, and a
 * walk that is too deep or too long drops everything (ofproto-dpif-xlate.c).
 */
final class PacketWalker {
  private static final int MAX_DEPTH = 64;
  private static final int MAX_RESUBMITS = MAX_DEPTH * MAX_DEPTH;

  private final Map<Integer, List<Flow>> tables = new HashMap<>();
  private final UnaryOperator<Packet> tracker;

  /**
   * A packet that left the switch.
   *
   * @param port where
   * @param packet as it left
   */
  record Delivery(int port, Packet packet) {
    Bits get(Field field) {
      return packet.get(field);
    }
  }

  PacketWalker(FlowPlan plan) {
    this(plan, Packet::opening);
  }

  /**
   * Makes a walker.
   *
   * @param tracker what the connection tracker adds to a packet
   */
  PacketWalker(FlowPlan plan, UnaryOperator<Packet> tracker) {
    this.tracker = tracker;
    plan.fragments()
        .values()
        .forEach(
            fragment ->
                fragment
                    .flows()
                    .forEach(
                        flow ->
                            tables
                                .computeIfAbsent(flow.table(), table -> new ArrayList<>())
                                .add(flow)));
    tables.values().forEach(t -> t.sort(Comparator.comparingInt(Flow::priority).reversed()));
  }

  /** Where the packet goes; empty if it dies. */
  List<Delivery> walk(Packet packet) {
    Walk walk = new Walk(packet.copy());
    walk.enter(0, 0);
    return walk.deliveries;
  }

  /** Whether the agent is asked, and nobody else gets the packet. */
  boolean asksAgentOnly(Packet packet) {
    Walk walk = new Walk(packet.copy());
    walk.enter(0, 0);
    return walk.asked == 1 && walk.deliveries.isEmpty();
  }

  /** The meters that the packet meets on its way, in order. */
  List<Integer> metersOf(Packet packet) {
    Walk walk = new Walk(packet.copy());
    walk.enter(0, 0);
    return walk.meters;
  }

  private final class Walk {
    private final Packet packet;
    private final List<Delivery> deliveries = new ArrayList<>();
    private final List<Integer> meters = new ArrayList<>();
    private int resubmits;
    private int asked;

    Walk(Packet packet) {
      this.packet = packet;
    }

    void enter(int table, int depth) {
      if (depth > MAX_DEPTH || resubmits++ > MAX_RESUBMITS) {
        throw new IllegalStateException("the switch gives up on " + packet);
      }
      find(table).ifPresent(flow -> run(flow, depth));
    }

    private void run(Flow flow, int depth) {
      for (Action action : flow.actions()) {
        if (action instanceof Action.DecTtl) {
          long left = packet.get(Field.NW_TTL).low();
          if (left <= 1) {
            return;
          }
          packet.with(Field.NW_TTL, Bits.of(left - 1));
        } else {
          run(action, depth);
        }
      }
    }

    /** The flow that counts: the first, unless conjunctions above it hold (ovs-fields(7)). */
    private Optional<Flow> find(int table) {
      Map<Integer, Set<Integer>> clauses = new HashMap<>();
      for (Flow flow : tables.getOrDefault(table, List.of())) {
        if (!matches(flow)) {
          continue;
        }
        if (flow.actions().stream().noneMatch(Action.Conjunction.class::isInstance)) {
          return conjunction(table, clauses).or(() -> Optional.of(flow));
        }
        for (Action action : flow.actions()) {
          Action.Conjunction part = (Action.Conjunction) action;
          clauses.computeIfAbsent(part.id(), id -> new HashSet<>()).add(part.clause());
        }
      }
      return conjunction(table, clauses);
    }

    private Optional<Flow> conjunction(int table, Map<Integer, Set<Integer>> clauses) {
      for (Map.Entry<Integer, Set<Integer>> clause : clauses.entrySet()) {
        if (clause.getValue().size() == 2) {
          packet.with(Field.CONJ_ID, Bits.of(Integer.toUnsignedLong(clause.getKey())));
          Optional<Flow> found =
              tables.getOrDefault(table, List.of()).stream()
                  .filter(flow -> flow.match().has(Field.CONJ_ID) && matches(flow))
                  .findFirst();
          packet.with(Field.CONJ_ID, Bits.ZERO);
          return found;
        }
      }
      return Optional.empty();
    }

    private boolean matches(Flow flow) {
      return flow.match().entries().stream()
          .allMatch(entry -> packet.get(entry.field()).and(entry.mask()).equals(entry.value()));
    }

    private void run(Action action, int depth) {
      if (action instanceof Action.SetField set) {
        Bits kept = packet.get(set.field()).and(set.mask().not());
        packet.with(set.field(), kept.or(set.value()));
      } else if (action instanceof Action.Move move) {
        Bits mask = Bits.ones(move.bits());
        Bits moved = packet.get(move.srcField()).shiftRight(move.srcOfs()).and(mask);
        Bits kept = packet.get(move.dstField()).and(mask.shiftLeft(move.dstOfs()).not());
        packet.with(move.dstField(), kept.or(moved.shiftLeft(move.dstOfs())));
      } else if (action instanceof Action.Resubmit resubmit) {
        enter(resubmit.table(), depth + 1);
      } else if (action instanceof Action.Output output) {
        if (output.port() != packet.get(Field.IN_PORT).low()) {
          deliveries.add(new Delivery(output.port(), packet.copy()));
        }
      } else if (action instanceof Action.CheckPktLarger check) {
        Bits kept = packet.get(check.dstField()).and(Bits.of(1L << check.bit()).not());
        packet.with(check.dstField(), kept);
      } else if (action instanceof Action.ConnTrack track) {
        if (track.recircTable() != Action.ConnTrack.NO_TABLE) {
          // The tracked copy goes on by itself; what it found is gone for the actions behind.
          Packet copy = packet.copy();
          boolean asks = track.mode() == Action.ConnTrack.Mode.TRACK;
          Walk tracked = new Walk(asks ? tracker.apply(copy) : copy);
          track.nested().forEach(nested -> tracked.run(nested, 0));
          tracked.enter(track.recircTable(), 0);
          deliveries.addAll(tracked.deliveries);
        }
      } else if (action instanceof Action.OutputInPort) {
        deliveries.add(new Delivery((int) packet.get(Field.IN_PORT).low(), packet.copy()));
      } else if (action instanceof Action.Controller) {
        asked++;
      } else if (action instanceof Action.Meter meter) {
        // A walk is one packet, which is within every limit.
        meters.add(meter.id());
      } else {
        throw new IllegalStateException("the walker does not know " + action);
      }
    }
  }
}
