package io.gatehouse.model.name;

import java.util.Comparator;

/** {@code tenants/{tenant}/securityGroups/{group}}. */
public record SecurityGroupName(TenantName tenant, String group)
    implements Comparable<SecurityGroupName> {
  private static final Comparator<SecurityGroupName> ORDER =
      Comparator.comparing(SecurityGroupName::tenant).thenComparing(SecurityGroupName::group);

  public SecurityGroupName {
    NameSyntax.checkId(group);
  }

  public static SecurityGroupName parse(String name) {
    String[] ids = NameSyntax.split(name, "tenants", "securityGroups");
    return new SecurityGroupName(new TenantName(ids[0]), ids[1]);
  }

  @Override
  public int compareTo(SecurityGroupName other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return tenant + "/securityGroups/" + group;
  }
}
