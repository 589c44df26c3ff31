package io.gatehouse.agent.device.nft;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What the kernel says of the guard's table. Pure. A chain guards only if it is exactly what we
 * would have written; anything more, such as a rule that accepts, or anything else, makes it bent.
 *
 * @param guarded names of the chains, which are those of their devices, that drop everything
 * @param bent names of the chains that are there and do not
 * @param asleep true if the whole table is switched off ({@code flags dormant})
 */
record GuardView(Set<String> guarded, Set<String> bent, boolean asleep) {
  static final GuardView ABSENT = new GuardView(Set.of(), Set.of(), false);

  /**
   * Makes the view.
   *
   * @param chains of the table
   * @param withRules names of the chains that hold a rule
   */
  static GuardView of(List<NfTablesReader.Chain> chains, Set<String> withRules, boolean asleep) {
    Set<String> guarded = new TreeSet<>();
    Set<String> bent = new HashSet<>();
    for (NfTablesReader.Chain chain : chains) {
      boolean guards =
          !asleep
              && chain.equals(NfTablesReader.Chain.guardOf(chain.name()))
              && !withRules.contains(chain.name());
      (guards ? guarded : bent).add(chain.name());
    }
    return new GuardView(guarded, bent, asleep);
  }

  boolean holds(String name) {
    return guarded.contains(name) || bent.contains(name);
  }

  /** Of some names those whose chain is there and has to be made anew. */
  Set<String> bentOf(Set<String> names) {
    return names.stream().filter(bent::contains).collect(Collectors.toSet());
  }
}
