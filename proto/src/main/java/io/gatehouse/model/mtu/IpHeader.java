package io.gatehouse.model.mtu;

import io.gatehouse.model.net.IpAddress.Family;

/** Sizes of IP headers without options or extension headers (RFC 791 §3.1, RFC 8200 §3). */
final class IpHeader {
  private static final int V4_BYTES = 20;
  private static final int V6_BYTES = 40;

  private IpHeader() {}

  static int bytes(Family family) {
    return family == Family.V4 ? V4_BYTES : V6_BYTES;
  }

  static String name(Family family) {
    return family == Family.V4 ? "IPv4 header" : "IPv6 header";
  }
}
