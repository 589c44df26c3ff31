package io.gatehouse.model.name;

/** {@code tenants/{tenant}}. */
public record TenantName(String tenant) implements Comparable<TenantName> {
  public TenantName {
    NameSyntax.checkId(tenant);
  }

  public static TenantName parse(String name) {
    return new TenantName(NameSyntax.split(name, "tenants")[0]);
  }

  @Override
  public int compareTo(TenantName other) {
    return tenant.compareTo(other.tenant);
  }

  @Override
  public String toString() {
    return "tenants/" + tenant;
  }
}
