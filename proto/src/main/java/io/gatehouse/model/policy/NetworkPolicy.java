package io.gatehouse.model.policy;

import io.gatehouse.model.HostConfiguration;
import io.gatehouse.model.mtu.EncapsulationStack;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.Limits;
import io.gatehouse.model.net.Vni;
import java.util.List;

/**
 * A network with a port on this DPU.
 *
 * @param cidrs its prefixes, at most one for each address family
 * @param mtuBytes largest IP packet inside the network
 * @param receiveMtuBytes largest IP packet that devices must take for its hosts: at least mtuBytes,
 *     more while the MTU changes
 * @param probeMtuBytes largest IP packet inside the network that paths are probed for: at least
 *     mtuBytes, more while a path that carries too little has lowered the network
 * @param hosts what its hosts are told
 */
public record NetworkPolicy(
    NetworkName name,
    Vni vni,
    List<Cidr> cidrs,
    int mtuBytes,
    int receiveMtuBytes,
    int probeMtuBytes,
    HostConfiguration hosts)
    implements PolicyResource {
  /** RFC 791 §3.2, and the most that a tunnel port takes. */
  static final int MIN_MTU_BYTES = 68;

  static final int MAX_MTU_BYTES = EncapsulationStack.MAX_TUNNEL_MTU_BYTES;

  public NetworkPolicy {
    cidrs = List.copyOf(cidrs);
    Limits.range("network.mtu_bytes", mtuBytes, MIN_MTU_BYTES, MAX_MTU_BYTES);
    Limits.range("network.receive_mtu_bytes", receiveMtuBytes, MIN_MTU_BYTES, MAX_MTU_BYTES);
    Limits.range("network.probe_mtu_bytes", probeMtuBytes, MIN_MTU_BYTES, MAX_MTU_BYTES);
    checkNotBelow("network.receive_mtu_bytes", receiveMtuBytes, mtuBytes);
    checkNotBelow("network.probe_mtu_bytes", probeMtuBytes, mtuBytes);
  }

  /** A network that its paths do not limit. */
  public NetworkPolicy(
      NetworkName name,
      Vni vni,
      List<Cidr> cidrs,
      int mtuBytes,
      int receiveMtuBytes,
      HostConfiguration hosts) {
    this(name, vni, cidrs, mtuBytes, receiveMtuBytes, mtuBytes, hosts);
  }

  /** A network whose MTU does not change. */
  public NetworkPolicy(
      NetworkName name, Vni vni, List<Cidr> cidrs, int mtuBytes, HostConfiguration hosts) {
    this(name, vni, cidrs, mtuBytes, mtuBytes, hosts);
  }

  private static void checkNotBelow(String field, int bytes, int mtuBytes) {
    if (bytes < mtuBytes) {
      throw new InvalidValueException(field, bytes, "is below mtu_bytes=" + mtuBytes);
    }
  }

  @Override
  public String key() {
    return name.toString();
  }
}
