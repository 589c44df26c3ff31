package io.gatehouse.model.mtu;

import java.util.List;

/**
 * Puts an IP packet into another one. All sizes are those of whole IP packets. The two directions
 * are exact inverses: {@code largestInnerBytes(m)} is the largest {@code p} with {@code
 * neededOuterBytes(p) <= m}.
 */
public sealed interface Encapsulation permits VxlanEncapsulation, EspEncapsulation {
  /** The largest IP packet that goes into an outer one of this size; below 1: none does. */
  int largestInnerBytes(int outerBytes);

  /** The size of the outer packet that carries an inner one of this size. */
  int neededOuterBytes(int innerBytes);

  /** What takes the difference of the two, the outermost first. */
  List<BudgetLine> budget(int outerBytes);
}
