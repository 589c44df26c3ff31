package io.gatehouse.agent.plan.security;

import java.util.ArrayList;
import java.util.List;

/** A range of transport ports as the fewest matches with masks that cover it and nothing else. */
final class PortRange {
  private static final int BITS = 16;
  private static final int ALL = (1 << BITS) - 1;

  private PortRange() {}

  /** The ports whose bits under the mask are those of the value. */
  record Block(int value, int mask) {}

  /** The blocks of a range, in order; both ends are in it. */
  static List<Block> blocks(int first, int last) {
    List<Block> blocks = new ArrayList<>();
    int from = first;
    while (from <= last) {
      int size = Math.min(alignedTo(from), Integer.highestOneBit(last - from + 1));
      blocks.add(new Block(from, ALL & -size));
      from += size;
    }
    return blocks;
  }

  /** The largest block that can begin at a port. */
  private static int alignedTo(int port) {
    return port == 0 ? ALL + 1 : Integer.lowestOneBit(port);
  }
}
