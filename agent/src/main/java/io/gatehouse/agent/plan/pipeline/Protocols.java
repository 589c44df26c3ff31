package io.gatehouse.agent.plan.pipeline;

import java.util.List;

/** Numbers that protocols give: IANA's registries, RFC 826, 4861, 2131, 8415, 7348. */
public final class Protocols {
  public static final int IPV4 = 0x0800;
  public static final int ARP = 0x0806;
  public static final int IPV6 = 0x86dd;

  public static final int VLAN = 0x8100;
  public static final int PROVIDER_VLAN = 0x88a8;

  /** The bit of the tag control information that says: there is a tag. */
  public static final int VLAN_PRESENT = 0x1000;

  public static final int ARP_REQUEST = 1;
  public static final int ARP_REPLY = 2;

  public static final int UDP = 17;
  public static final int ICMPV6 = 58;

  /**
   * IPv6 next headers that no payload has: hop-by-hop, routing, fragment, authentication, none,
   * destination options, mobility, HIP, Shim6 (IANA's "IPv6 Extension Header Types").
   */
  public static final List<Integer> EXTENSION_HEADERS =
      List.of(0, 43, 44, 51, 59, 60, 135, 139, 140);

  /**
   * Multicast listener discovery (RFC 2710, RFC 3810): query, report, done, report of version 2.
   */
  public static final List<Integer> MULTICAST_LISTENERS = List.of(130, 131, 132, 143);

  public static final int ROUTER_SOLICITATION = 133;
  public static final int ROUTER_ADVERTISEMENT = 134;
  public static final int NEIGHBOUR_SOLICITATION = 135;
  public static final int NEIGHBOUR_ADVERTISEMENT = 136;
  public static final int REDIRECT = 137;

  /** Type of the target link-layer address option (RFC 4861 §4.6.1). */
  public static final int TARGET_LINK_LAYER_OPTION = 2;

  /** Flags "solicited" and "override" of a neighbour advertisement (RFC 4861 §4.4). */
  public static final long SOLICITED_OVERRIDE = 0x6000_0000L;

  public static final int DHCPV4_SERVER_PORT = 67;
  public static final int DHCPV4_CLIENT_PORT = 68;
  public static final int DHCPV6_CLIENT_PORT = 546;
  public static final int DHCPV6_SERVER_PORT = 547;

  public static final int ETHERNET_HEADER_BYTES = 14;

  public static final int VXLAN_PORT = 4789;
  public static final int VNI_BITS = 24;

  private Protocols() {}
}
