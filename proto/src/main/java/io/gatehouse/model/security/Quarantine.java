package io.gatehouse.model.security;

import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.Limits;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Cuts a port off, both ways, whatever else is allowed.
 *
 * @param reason for people, 1 to 200 characters
 * @param allowed the only addresses that it may talk with; none: with nobody at all
 */
public record Quarantine(String reason, List<Cidr> allowed) {
  public static final int MAX_ALLOWED = 64;

  private static final int MAX_REASON_LENGTH = 200;

  public Quarantine {
    allowed = List.copyOf(allowed);
    Limits.text("reason", reason, 1, MAX_REASON_LENGTH);
    if (allowed.size() > MAX_ALLOWED) {
      throw new InvalidValueException(
          "allowed_cidrs", allowed.size() + " elements", "are over " + MAX_ALLOWED);
    }
  }

  /**
   * This one and another one at once: an address must be allowed by both. Reasons and prefixes that
   * are too many are left out, and what is left out is not allowed.
   */
  public Quarantine and(Quarantine other) {
    Set<Cidr> both = new LinkedHashSet<>();
    for (Cidr mine : allowed) {
      for (Cidr theirs : other.allowed) {
        if (mine.overlaps(theirs)) {
          both.add(mine.prefixLength() >= theirs.prefixLength() ? mine : theirs);
        }
      }
    }
    String joined = reason.equals(other.reason) ? reason : reason + "; " + other.reason;
    return new Quarantine(
        joined.length() <= MAX_REASON_LENGTH
            ? joined
            : joined.substring(0, MAX_REASON_LENGTH - 1) + "…",
        both.stream().limit(MAX_ALLOWED).toList());
  }
}
