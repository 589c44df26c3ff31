package io.gatehouse.model;

import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.Limits;
import java.time.Instant;

/**
 * A DPU: one Open vSwitch, one VXLAN tunnel end point.
 *
 * @param vtepAddress underlay address of its VTEP, unicast
 * @param underlayMtuBytes MTU of the interface that holds the VTEP address
 */
public record Dpu(
    DpuName name,
    String displayName,
    IpAddress vtepAddress,
    int underlayMtuBytes,
    FailureDomain failureDomain,
    Instant createdAt,
    Instant updatedAt) {
  public static final int DEFAULT_UNDERLAY_MTU_BYTES = 1_500;

  private static final int MIN_UNDERLAY_MTU_BYTES = 576;
  private static final int MAX_UNDERLAY_MTU_BYTES = 65_535;

  public Dpu {
    Limits.displayName("display_name", displayName);
    boolean unusable =
        vtepAddress.isMulticast() || vtepAddress.isUnspecified() || vtepAddress.isLoopback();
    if (unusable || vtepAddress.isLinkLocal()) {
      throw new InvalidValueException(
          "vtep_address", vtepAddress, "is not a routed unicast address");
    }
    Limits.range(
        "underlay_mtu_bytes", underlayMtuBytes, MIN_UNDERLAY_MTU_BYTES, MAX_UNDERLAY_MTU_BYTES);
  }
}
