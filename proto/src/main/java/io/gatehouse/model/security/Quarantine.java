package io.gatehouse.model.security;

import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.InvalidValueException;
import java.util.List;

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
    boolean plain = reason.chars().noneMatch(Character::isISOControl);
    if (reason.isEmpty() || reason.length() > MAX_REASON_LENGTH || !plain) {
      throw new InvalidValueException(
          "reason", reason, "is not 1 to 200 characters without control characters");
    }
    if (allowed.size() > MAX_ALLOWED) {
      throw new InvalidValueException(
          "allowed_cidrs", allowed.size() + " elements", "are over " + MAX_ALLOWED);
    }
  }
}
