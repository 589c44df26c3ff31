package io.gatehouse.control.decide.fit;

import io.gatehouse.control.decide.Refusals;
import io.gatehouse.model.Dpu;
import io.gatehouse.model.Network;
import io.gatehouse.model.VxlanOverhead;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Largest IP packet that fits a set of DPUs, with the DPU that sets the limit.
 *
 * @param underlayMtuBytes of that DPU
 * @param overheadBytes of the encapsulation there
 * @param where that DPU, for a message
 */
public record NetworkMtu(int largestBytes, int underlayMtuBytes, int overheadBytes, String where) {
  private static final Comparator<Dpu> SMALLEST =
      Comparator.comparingInt(NetworkMtu::innerMtuBytes).thenComparing(Dpu::name);

  /** The limit of these DPUs; without any, that of a plain Ethernet underlay. */
  public static NetworkMtu over(Collection<Dpu> dpus) {
    Optional<Dpu> smallest = dpus.stream().min(SMALLEST);
    if (smallest.isEmpty()) {
      IpAddress.Family family = IpAddress.Family.V4;
      int underlay = Dpu.DEFAULT_UNDERLAY_MTU_BYTES;
      return new NetworkMtu(
          VxlanOverhead.innerMtuBytes(underlay, family),
          underlay,
          VxlanOverhead.bytes(family),
          "an underlay without DPUs is taken to have " + underlay);
    }
    Dpu dpu = smallest.get();
    return new NetworkMtu(
        innerMtuBytes(dpu),
        dpu.underlayMtuBytes(),
        VxlanOverhead.bytes(dpu.vtepAddress().family()),
        dpu.name() + " has " + dpu.underlayMtuBytes());
  }

  /**
   * The MTU in force: the one asked for, or for 0 the largest that fits.
   *
   * @param field that is to blame if it does not fit
   * @throws io.gatehouse.control.decide.RefusedException with both numbers if it does not fit, or
   *     if the largest that fits is less than the address family needs (RFC 8200 §5)
   */
  public int inForce(int requestedBytes, List<Cidr> cidrs, String field) {
    if (requestedBytes > largestBytes) {
      throw Refusals.precondition(
          field,
          "mtu "
              + requestedBytes
              + " needs "
              + (requestedBytes + overheadBytes)
              + " on the underlay, "
              + where
              + "; largest that fits "
              + largestBytes);
    }
    boolean v6 = cidrs.stream().anyMatch(cidr -> cidr.address().isV6());
    int needed = v6 ? Network.MIN_IPV6_MTU_BYTES : Network.MIN_MTU_BYTES;
    if (largestBytes < needed) {
      throw Refusals.precondition(
          field,
          (v6 ? "IPv6" : "IPv4")
              + " needs an mtu of "
              + needed
              + " and "
              + (needed + overheadBytes)
              + " on the underlay, "
              + where
              + "; largest that fits "
              + largestBytes);
    }
    return requestedBytes == 0 ? largestBytes : requestedBytes;
  }

  private static int innerMtuBytes(Dpu dpu) {
    return VxlanOverhead.innerMtuBytes(dpu.underlayMtuBytes(), dpu.vtepAddress().family());
  }
}
