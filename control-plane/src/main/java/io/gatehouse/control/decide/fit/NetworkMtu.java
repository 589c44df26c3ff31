package io.gatehouse.control.decide.fit;

import io.gatehouse.control.decide.Refusals;
import io.gatehouse.model.Dpu;
import io.gatehouse.model.Network;
import io.gatehouse.model.mtu.EncapsulationStack;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Largest IP packet that fits a set of DPUs, with the DPU that sets the limit.
 *
 * @param stack what is put around a packet there
 * @param where that DPU and its underlay's MTU, for a message
 */
public record NetworkMtu(int largestBytes, EncapsulationStack stack, String where) {
  private static final Comparator<Dpu> SMALLEST =
      Comparator.comparingInt(NetworkMtu::carriedBy).thenComparing(Dpu::name);

  /** The limit of these DPUs; without any, that of a plain Ethernet underlay. */
  public static NetworkMtu over(Collection<Dpu> dpus) {
    Optional<Dpu> limiting = limiting(dpus);
    if (limiting.isEmpty()) {
      EncapsulationStack stack = EncapsulationStack.vxlan(IpAddress.Family.V4);
      int underlay = Dpu.DEFAULT_UNDERLAY_MTU_BYTES;
      return new NetworkMtu(
          stack.largestInnerBytes(underlay),
          stack,
          "an underlay without DPUs is taken to have " + underlay);
    }
    Dpu dpu = limiting.get();
    return new NetworkMtu(
        carriedBy(dpu), stack(dpu), dpu.name() + " has " + dpu.underlayMtuBytes());
  }

  /** The DPU whose underlay carries least; of several the first by name. */
  public static Optional<Dpu> limiting(Collection<Dpu> dpus) {
    return dpus.stream().min(SMALLEST);
  }

  /** What goes around a packet between this DPU and others. */
  public static EncapsulationStack stack(Dpu dpu) {
    return EncapsulationStack.vxlan(dpu.vtepAddress().family());
  }

  /** Largest IP packet of a network that this DPU's underlay carries. */
  public static int carriedBy(Dpu dpu) {
    return stack(dpu).largestInnerBytes(dpu.underlayMtuBytes());
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
              + stack.neededUnderlayBytes(requestedBytes)
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
              + stack.neededUnderlayBytes(needed)
              + " on the underlay, "
              + where
              + "; largest that fits "
              + largestBytes);
    }
    return requestedBytes == 0 ? largestBytes : requestedBytes;
  }
}
