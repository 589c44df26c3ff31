package io.gatehouse.agent.state.change;

import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.state.StrangeFlows;
import java.util.List;
import java.util.function.Predicate;

/**
 * What to change in the flow tables, to be carried out as one atomic bundle in this order.
 *
 * @param purges flows to remove together, since some of them cannot be named more exactly
 * @param deletes flows to remove, each exactly
 * @param modifies flows that get other actions and keep their counters
 * @param adds flows to add
 */
public record FlowChange(
    List<StrangeFlows> purges, List<Flow> deletes, List<Flow> modifies, List<Flow> adds) {
  public static final FlowChange NONE = new FlowChange(List.of(), List.of(), List.of(), List.of());

  public FlowChange {
    purges = List.copyOf(purges);
    deletes = List.copyOf(deletes);
    modifies = List.copyOf(modifies);
    adds = List.copyOf(adds);
  }

  /** The same, but that nothing is opened of what matches. */
  public FlowChange withoutOpening(Predicate<Flow> closed) {
    Predicate<Flow> open = closed.negate();
    return new FlowChange(
        purges,
        deletes,
        modifies.stream().filter(open).toList(),
        adds.stream().filter(open).toList());
  }

  public int size() {
    return purges.size() + deletes.size() + modifies.size() + adds.size();
  }

  public boolean isEmpty() {
    return size() == 0;
  }
}
