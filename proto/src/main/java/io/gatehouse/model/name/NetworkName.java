package io.gatehouse.model.name;

import java.util.Comparator;

/** {@code tenants/{tenant}/networks/{network}}. */
public record NetworkName(TenantName tenant, String network) implements Comparable<NetworkName> {
  private static final Comparator<NetworkName> ORDER =
      Comparator.comparing(NetworkName::tenant).thenComparing(NetworkName::network);

  public NetworkName {
    NameSyntax.checkId(network);
  }

  public static NetworkName parse(String name) {
    String[] ids = NameSyntax.split(name, "tenants", "networks");
    return new NetworkName(new TenantName(ids[0]), ids[1]);
  }

  @Override
  public int compareTo(NetworkName other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return tenant + "/networks/" + network;
  }
}
