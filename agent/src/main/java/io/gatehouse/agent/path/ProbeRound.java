package io.gatehouse.agent.path;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Probes that leave together, the smallest last, and what has come of them. Packets of one way
 * arrive in order, so that an answer to the last one says of those before: they were lost, however
 * slow this DPU or its partner is.
 */
final class ProbeRound {
  static final ProbeRound NONE = new ProbeRound(List.of());

  private final List<Integer> sizes;
  private final SortedSet<Integer> asked;
  private final SortedSet<Integer> answered = new TreeSet<>();
  private final SortedSet<Integer> refused = new TreeSet<>();

  /** A round of these sizes, some more than once. */
  ProbeRound(List<Integer> sizes) {
    this.sizes = List.copyOf(sizes);
    this.asked = new TreeSet<>(sizes);
  }

  /** In the order in which they leave. */
  List<Integer> sizes() {
    return sizes;
  }

  boolean isOpen() {
    return !asked.isEmpty();
  }

  void answered(int size) {
    if (asked.contains(size)) {
      answered.add(size);
    }
  }

  /** The own interface does not let this size out. */
  void refused(int size) {
    if (asked.contains(size)) {
      refused.add(size);
    }
  }

  /** Nothing more can come. */
  boolean isOver() {
    return isOpen()
        && asked.stream().allMatch(size -> answered.contains(size) || refused.contains(size));
  }

  boolean isSilent() {
    return answered.isEmpty();
  }

  boolean isLast(int size) {
    return isOpen() && asked.first() == size;
  }

  boolean hasArrived(int size) {
    return answered.contains(size);
  }

  /** Of a round that is not silent. */
  int largestArrived() {
    return answered.last();
  }

  /** The smallest size above this one that was asked for; {@code otherwise} if none was. */
  int nextAbove(int size, int otherwise) {
    SortedSet<Integer> above = asked.tailSet(size + 1);
    return above.isEmpty() ? otherwise : above.first();
  }
}
