package io.gatehouse.agent.plan.security;

import io.gatehouse.agent.state.Cookies;
import io.gatehouse.model.name.SecurityGroupName;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * Numbers for groups that do not change when others come or go, and that no two groups share.
 *
 * <p>A number is a hash of the name. A tenant chooses its groups' names, so it could choose one
 * whose hash is that of another tenant's group; the later name then gets another number.
 */
final class StableNumbers {
  private StableNumbers() {}

  /**
   * Numbers names.
   *
   * @param mask bits that a number may have
   */
  static SortedMap<SecurityGroupName, Long> of(SortedSet<SecurityGroupName> names, long mask) {
    SortedMap<SecurityGroupName, Long> numbers = new TreeMap<>();
    // Zero is what a packet has that has met no group.
    Set<Long> taken = new HashSet<>(Set.of(0L));
    names.forEach(name -> numbers.put(name, free(name.toString(), mask, taken)));
    return numbers;
  }

  private static long free(String name, long mask, Set<Long> taken) {
    long number = Cookies.of(name) & mask;
    for (int attempt = 1; !taken.add(number); attempt++) {
      // No name has such a character, so this is nobody else's hash by design.
      number = Cookies.of(name + "#" + attempt) & mask;
    }
    return number;
  }

  /** The number of one name. */
  static long of(SecurityGroupName name, Map<SecurityGroupName, Long> numbers) {
    Long number = numbers.get(name);
    if (number == null) {
      throw new IllegalArgumentException(name + " has no number");
    }
    return number;
  }
}
