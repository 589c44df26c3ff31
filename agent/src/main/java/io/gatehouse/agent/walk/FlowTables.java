package io.gatehouse.agent.walk;

import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Flow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Flows, sorted so that the one for a packet is found without looking at all: by table, then by
 * which bits they compare. That, and how conjunctions are found, is Open vSwitch's way
 * (classifier.c, ovs-fields(7) "Conjunctive Match Fields"). Immutable.
 */
public final class FlowTables {
  private static final Comparator<Flow> BY_PRIORITY =
      Comparator.comparingInt(Flow::priority).reversed();

  private final Map<Integer, List<Subtable>> tables = new HashMap<>();

  public FlowTables(Collection<Flow> flows) {
    Map<Integer, Map<List<Compared>, Subtable>> sorted = new HashMap<>();
    for (Flow flow : flows) {
      List<Compared> compared = new ArrayList<>();
      flow.match().forEach((field, value, mask) -> compared.add(new Compared(field, mask)));
      sorted
          .computeIfAbsent(flow.table(), table -> new HashMap<>())
          .computeIfAbsent(compared, Subtable::new)
          .add(flow);
    }
    sorted.forEach(
        (table, subtables) -> {
          List<Subtable> byPriority = new ArrayList<>(subtables.values());
          byPriority.forEach(subtable -> subtable.flows.values().forEach(f -> f.sort(BY_PRIORITY)));
          byPriority.sort(Comparator.comparingInt((Subtable s) -> s.maxPriority).reversed());
          tables.put(table, byPriority);
        });
  }

  private record Compared(Field field, Bits mask) {}

  private static final class Subtable {
    private final List<Compared> compared;
    private final Map<List<Bits>, List<Flow>> flows = new HashMap<>();
    private int maxPriority;

    Subtable(List<Compared> compared) {
      this.compared = compared;
    }

    void add(Flow flow) {
      List<Bits> key = new ArrayList<>(compared.size());
      flow.match().forEach((field, value, mask) -> key.add(value));
      flows.computeIfAbsent(key, k -> new ArrayList<>(1)).add(flow);
      maxPriority = Math.max(maxPriority, flow.priority());
    }

    List<Flow> find(Function<Field, Bits> packet) {
      List<Bits> key = new ArrayList<>(compared.size());
      for (Compared one : compared) {
        key.add(packet.apply(one.field()).and(one.mask()));
      }
      return flows.getOrDefault(key, List.of());
    }
  }

  /** The flows that a lookup used: one, or the ones of a conjunction and the flow of its id. */
  record Found(Flow flow, List<Flow> conjunction) {}

  /** The flow for a packet, if there is one. */
  @Nullable Found find(int table, Function<Field, Bits> packet) {
    List<Flow> soft = new ArrayList<>();
    Flow hard = best(table, packet, soft);
    int above = hard == null ? -1 : hard.priority();
    soft.removeIf(flow -> flow.priority() <= above);
    soft.sort(BY_PRIORITY);
    for (int from = 0; from < soft.size(); ) {
      int to = from;
      while (to < soft.size() && soft.get(to).priority() == soft.get(from).priority()) {
        to++;
      }
      Found found = conjunctive(table, packet, soft.subList(from, to));
      if (found != null) {
        return found;
      }
      from = to;
    }
    return hard == null ? null : new Found(hard, List.of());
  }

  /** All clauses of an id must be there at one priority; then the flow of that id is looked for. */
  private @Nullable Found conjunctive(
      int table, Function<Field, Bits> packet, List<Flow> samePriority) {
    Map<Integer, Set<Integer>> clauses = new HashMap<>();
    for (Flow flow : samePriority) {
      for (Action action : flow.actions()) {
        if (action instanceof Action.Conjunction one) {
          Set<Integer> seen = clauses.computeIfAbsent(one.id(), id -> new HashSet<>());
          seen.add(one.clause());
          if (seen.size() == one.of()) {
            Flow flowOfId = best(table, withConjunction(packet, one.id()), new ArrayList<>());
            if (flowOfId != null) {
              return new Found(flowOfId, List.copyOf(samePriority));
            }
          }
        }
      }
    }
    return null;
  }

  private static Function<Field, Bits> withConjunction(Function<Field, Bits> packet, int id) {
    Bits value = Bits.of(id & 0xffff_ffffL);
    return field -> field == Field.CONJ_ID ? value : packet.apply(field);
  }

  /** The highest flow that stands alone; the parts of conjunctions above it are put aside. */
  private @Nullable Flow best(int table, Function<Field, Bits> packet, List<Flow> soft) {
    Flow best = null;
    for (Subtable subtable : tables.getOrDefault(table, List.of())) {
      if (best != null && subtable.maxPriority <= best.priority()) {
        break;
      }
      for (Flow flow : subtable.find(packet)) {
        if (isConjunctive(flow)) {
          soft.add(flow);
          continue;
        }
        if (best == null || flow.priority() > best.priority()) {
          best = flow;
        }
        break;
      }
    }
    return best;
  }

  private static boolean isConjunctive(Flow flow) {
    return flow.actions().stream().anyMatch(Action.Conjunction.class::isInstance);
  }
}
