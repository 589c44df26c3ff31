package io.gatehouse.agent.state.proof;

/** What kind of packet was looked at. */
public enum PacketClass {
  /** From its own addresses, to the receiver's. */
  OWN,
  /** At and beside the edges of the rules of the security groups. */
  RULE,
  /** From a MAC address that is not the sender's. */
  SPOOFED_MAC,
  /** From an IP address that is not the sender's. */
  SPOOFED_IP,
  /** An ARP question. */
  ARP_REQUEST,
  /** An ARP answer that says the truth. */
  ARP_REPLY,
  /** An ARP packet that says that another's address is the sender's. */
  SPOOFED_ARP,
  /** A neighbour solicitation or advertisement that says the truth. */
  ND,
  /** One that says that another's address is the sender's. */
  SPOOFED_ND,
  /** A router advertisement or a redirect. */
  ROUTER,
  /** What a host asks its DPU: for addresses, and for routers. */
  HOST_QUESTION,
  /** What only a DHCP server sends. */
  DHCP_SERVER,
  /** To everybody. */
  BROADCAST,
  /** To the router's MAC address, or out of a tunnel from it. */
  ROUTED,
  /** To a MAC address that nobody has. */
  UNKNOWN_UNICAST,
  /** With a VLAN tag, or a fragment. */
  ODD_HEADER,
  /** Out of a tunnel, with the network of the sender. */
  TUNNEL,
  /** Out of a tunnel of a known VTEP, with a network that has no port there. */
  FOREIGN_VNI,
  /** Out of a tunnel of a VTEP that nobody told of. */
  UNKNOWN_VTEP,
  /** From its own addresses, and larger than the network carries. */
  TOO_LARGE,
  /** Made to meet a flow that nobody planned. */
  STRANGE_FLOW
}
