package io.gatehouse.agent.device.nft;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What nft's text says of the guard's table. Pure. A chain guards only if its text is exactly what
 * we would have written; anything more, such as a rule that accepts, or anything else, makes it
 * bent.
 *
 * @param guarded names of the chains, which are those of their devices, that drop everything
 * @param bent names of the chains that are there and do not
 * @param asleep true if the whole table is switched off ({@code flags dormant})
 */
record GuardListing(Set<String> guarded, Set<String> bent, boolean asleep) {
  static final GuardListing ABSENT = new GuardListing(Set.of(), Set.of(), false);

  private static final String CHAIN_START = "\tchain ";
  private static final String BLOCK_START = " {";
  private static final String CHAIN_END = "\t}";
  private static final String FLAGS = "\tflags ";

  static GuardListing parse(String text) {
    List<String> lines = text.lines().toList();
    Set<String> guarded = new TreeSet<>();
    Set<String> bent = new HashSet<>();
    boolean asleep = false;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      asleep |= line.startsWith(FLAGS);
      if (!line.startsWith(CHAIN_START) || !line.endsWith(BLOCK_START)) {
        continue;
      }
      String name = line.substring(CHAIN_START.length(), line.length() - BLOCK_START.length());
      int end = i + 1;
      while (end < lines.size() && !lines.get(end).equals(CHAIN_END)) {
        end++;
      }
      (isGuard(name, lines.subList(i + 1, end)) ? guarded : bent).add(name);
      i = end;
    }
    if (asleep) {
      bent.addAll(guarded);
      guarded.clear();
    }
    return new GuardListing(guarded, bent, asleep);
  }

  private static boolean isGuard(String name, List<String> body) {
    String wanted = "type filter hook ingress device \"" + name + "\" priority -500; policy drop;";
    return body.size() == 1 && body.get(0).strip().equals(wanted);
  }

  boolean holds(String name) {
    return guarded.contains(name) || bent.contains(name);
  }

  /** Of some names those whose chain is there and has to be made anew. */
  Set<String> bentOf(Set<String> names) {
    return names.stream().filter(bent::contains).collect(Collectors.toSet());
  }
}
