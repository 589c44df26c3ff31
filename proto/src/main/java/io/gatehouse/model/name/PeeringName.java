package io.gatehouse.model.name;

import java.util.Comparator;

/** {@code tenants/{tenant}/networks/{network}/peerings/{peering}}. */
public record PeeringName(NetworkName network, String peering) implements Comparable<PeeringName> {
  private static final Comparator<PeeringName> ORDER =
      Comparator.comparing(PeeringName::network).thenComparing(PeeringName::peering);

  public PeeringName {
    NameSyntax.checkId(peering);
  }

  public static PeeringName parse(String name) {
    String[] ids = NameSyntax.split(name, "tenants", "networks", "peerings");
    return new PeeringName(new NetworkName(new TenantName(ids[0]), ids[1]), ids[2]);
  }

  @Override
  public int compareTo(PeeringName other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return network + "/peerings/" + peering;
  }
}
