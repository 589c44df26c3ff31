package io.gatehouse.model;

import io.gatehouse.model.net.IpAddress;

/**
 * Bytes that VXLAN adds between an inner IP packet and the outer one (RFC 7348 §5): the outer IP
 * header, UDP 8, VXLAN 8, the inner Ethernet header 14.
 */
public final class VxlanOverhead {
  /** Largest MTU of an Open vSwitch tunnel port. */
  public static final int MAX_TUNNEL_MTU_BYTES = 65_000;

  private static final int UDP_BYTES = 8;
  private static final int VXLAN_BYTES = 8;
  private static final int ETHERNET_BYTES = 14;
  private static final int IPV4_BYTES = 20;
  private static final int IPV6_BYTES = 40;

  private VxlanOverhead() {}

  /** 50 bytes over IPv4, 70 over IPv6. */
  public static int bytes(IpAddress.Family underlay) {
    int ip = underlay == IpAddress.Family.V4 ? IPV4_BYTES : IPV6_BYTES;
    return ip + UDP_BYTES + VXLAN_BYTES + ETHERNET_BYTES;
  }

  /** Largest inner IP packet that an underlay of this MTU carries unfragmented. */
  public static int innerMtuBytes(int underlayMtuBytes, IpAddress.Family underlay) {
    return Math.min(underlayMtuBytes, MAX_TUNNEL_MTU_BYTES) - bytes(underlay);
  }
}
