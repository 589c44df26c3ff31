package io.gatehouse.model.name;

import java.util.Comparator;
import java.util.Optional;

/**
 * {@code operators/{operator}} for the fleet's, {@code tenants/{tenant}/operators/{operator}} for a
 * tenant's. The fleet's come first in name order.
 *
 * @param tenant empty for the fleet's
 */
public record OperatorName(Optional<TenantName> tenant, String operator)
    implements Comparable<OperatorName> {
  private static final String COLLECTION = "operators";
  private static final Comparator<OperatorName> ORDER =
      Comparator.<OperatorName, String>comparing(
              name -> name.tenant.map(TenantName::tenant).orElse(""))
          .thenComparing(OperatorName::operator);

  public OperatorName {
    NameSyntax.checkId(operator);
  }

  /** One of the fleet's. */
  public static OperatorName ofFleet(String operator) {
    return new OperatorName(Optional.empty(), operator);
  }

  /** One of a tenant's. */
  public static OperatorName ofTenant(TenantName tenant, String operator) {
    return new OperatorName(Optional.of(tenant), operator);
  }

  /** Reads either form. */
  public static OperatorName parse(String name) {
    if (!name.startsWith("tenants/")) {
      return ofFleet(NameSyntax.split(name, COLLECTION)[0]);
    }
    String[] ids = NameSyntax.split(name, "tenants", COLLECTION);
    return ofTenant(new TenantName(ids[0]), ids[1]);
  }

  @Override
  public int compareTo(OperatorName other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return tenant.map(owner -> owner + "/").orElse("") + COLLECTION + "/" + operator;
  }
}
