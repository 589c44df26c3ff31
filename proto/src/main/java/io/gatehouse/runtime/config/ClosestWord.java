package io.gatehouse.runtime.config;

import java.util.Collection;

/** Finds the word that a person probably meant. */
public final class ClosestWord {
  private ClosestWord() {}

  /** {@code "; did you mean …?"} if a known word is near, else nothing. */
  public static String hint(String given, Collection<String> known) {
    int limit = Math.max(1, given.length() / 3);
    String best = "";
    int bestDistance = limit + 1;
    for (String word : known) {
      int distance = distance(given, word, bestDistance);
      if (distance < bestDistance) {
        bestDistance = distance;
        best = word;
      }
    }
    return best.isEmpty() ? "" : "; did you mean " + best + "?";
  }

  /** Levenshtein distance, or the limit if it is at least that. */
  private static int distance(String a, String b, int limit) {
    if (Math.abs(a.length() - b.length()) >= limit) {
      return limit;
    }
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int edit = Math.min(previous[j], current[j - 1]) + 1;
        current[j] = Math.min(edit, previous[j - 1] + change);
      }
      previous = current;
    }
    return Math.min(previous[b.length()], limit);
  }
}
