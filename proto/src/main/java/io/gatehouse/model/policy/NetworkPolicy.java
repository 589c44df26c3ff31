package io.gatehouse.model.policy;

import io.gatehouse.model.HostConfiguration;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.Vni;
import java.util.List;

/**
 * A network with a port on this DPU.
 *
 * @param cidrs its prefixes, at most one for each address family
 * @param mtuBytes largest IP packet inside the network
 * @param hosts what its hosts are told
 */
public record NetworkPolicy(
    NetworkName name, Vni vni, List<Cidr> cidrs, int mtuBytes, HostConfiguration hosts)
    implements PolicyResource {
  public NetworkPolicy {
    cidrs = List.copyOf(cidrs);
  }

  @Override
  public String key() {
    return name.toString();
  }
}
