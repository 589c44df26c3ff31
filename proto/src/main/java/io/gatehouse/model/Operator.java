package io.gatehouse.model;

import io.gatehouse.model.name.OperatorName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.Limits;
import java.time.Instant;

/**
 * A person or a program. Its certificate says who it is; this says what it may do.
 *
 * @param role of the fleet for the fleet's, of a tenant for a tenant's
 * @param createdAt by the control plane's clock
 * @param updatedAt by the control plane's clock
 */
public record Operator(
    OperatorName name,
    String displayName,
    OperatorRole role,
    Instant createdAt,
    Instant updatedAt) {
  public Operator {
    Limits.displayName("display_name", displayName);
    if (role.ofTenant() != name.tenant().isPresent()) {
      throw new InvalidValueException(
          "role",
          role,
          role.ofTenant()
              ? "is a role within a tenant, and " + name + " is of the fleet"
              : "is a role of the fleet, and " + name + " is of a tenant");
    }
  }
}
