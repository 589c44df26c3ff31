package io.gatehouse.model.policy;

import io.gatehouse.model.HostConfiguration;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.Vni;
import java.util.List;

/**
 * A network with a port on this DPU.
 *
 * @param cidrs its prefixes, at most one for each address family
 * @param mtuBytes largest IP packet inside the network
 * @param receiveMtuBytes largest IP packet that devices must take for its hosts: at least mtuBytes,
 *     more while the MTU changes
 * @param hosts what its hosts are told
 */
public record NetworkPolicy(
    NetworkName name,
    Vni vni,
    List<Cidr> cidrs,
    int mtuBytes,
    int receiveMtuBytes,
    HostConfiguration hosts)
    implements PolicyResource {
  public NetworkPolicy {
    cidrs = List.copyOf(cidrs);
    if (receiveMtuBytes < mtuBytes) {
      throw new InvalidValueException(
          "network.receive_mtu_bytes", receiveMtuBytes, "is below mtu_bytes=" + mtuBytes);
    }
  }

  /** A network whose MTU does not change. */
  public NetworkPolicy(
      NetworkName name, Vni vni, List<Cidr> cidrs, int mtuBytes, HostConfiguration hosts) {
    this(name, vni, cidrs, mtuBytes, mtuBytes, hosts);
  }

  @Override
  public String key() {
    return name.toString();
  }
}
