package io.gatehouse.model.name;

import java.util.Comparator;

/** {@code tenants/{tenant}/networks/{network}/ports/{port}}. */
public record PortName(NetworkName network, String port) implements Comparable<PortName> {
  private static final Comparator<PortName> ORDER =
      Comparator.comparing(PortName::network).thenComparing(PortName::port);

  public PortName {
    NameSyntax.checkId(port);
  }

  public static PortName parse(String name) {
    String[] ids = NameSyntax.split(name, "tenants", "networks", "ports");
    return new PortName(new NetworkName(new TenantName(ids[0]), ids[1]), ids[2]);
  }

  @Override
  public int compareTo(PortName other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return network + "/ports/" + port;
  }
}
