package io.gatehouse.agent.path;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The sizes of one round of a search, with both bounds, which may have been taken wrongly.
 *
 * @param baseBytes the smallest
 * @param low bytes that have arrived
 * @param high bytes that have not
 */
record ProbeLadder(int baseBytes, int low, int high) {
  /** Sizes beside the bounds. */
  private static final int RUNGS = 8;

  /** Of each size, so that one stray loss does not make the path look smaller. */
  private static final int COPIES = 2;

  /** As many as narrow the bounds to a ninth. */
  List<Integer> rungs() {
    TreeSet<Integer> sizes = bounds();
    for (int rung = 1; rung <= RUNGS; rung++) {
      sizes.add(Math.min(high, low + Math.max(rung, (high - low) * rung / (RUNGS + 1))));
    }
    return copies(sizes);
  }

  /** Shows whether this many bytes are what arrives, and not one more. */
  List<Integer> around(int bytes) {
    TreeSet<Integer> sizes = bounds();
    sizes.addAll(List.of(bytes, bytes + 1));
    return copies(sizes);
  }

  private TreeSet<Integer> bounds() {
    return new TreeSet<>(List.of(baseBytes, low, high));
  }

  private static List<Integer> copies(TreeSet<Integer> sizes) {
    List<Integer> all = new ArrayList<>();
    for (int copy = 0; copy < COPIES; copy++) {
      all.addAll(sizes.descendingSet());
    }
    return all;
  }
}
