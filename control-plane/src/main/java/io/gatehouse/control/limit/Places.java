package io.gatehouse.control.limit;

import com.google.common.collect.ConcurrentHashMultiset;
import com.google.common.collect.Multiset;

/**
 * How many of something each caller has at a time, and no more than so many. Any thread.
 *
 * <p>Bounded by what is held: who holds nothing is not remembered.
 */
public final class Places {
  private final Multiset<String> held = ConcurrentHashMultiset.create();
  private final int each;

  /**
   * Places.
   *
   * @param each most that one caller has at a time
   */
  public Places(int each) {
    this.each = each;
  }

  /** Takes a place; false if the caller has all that one can have. */
  public boolean take(String caller) {
    if (held.add(caller, 1) < each) {
      return true;
    }
    held.remove(caller);
    return false;
  }

  /** Gives a place back that was taken. */
  public void giveBack(String caller) {
    held.remove(caller);
  }
}
