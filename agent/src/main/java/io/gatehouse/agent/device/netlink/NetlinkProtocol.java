package io.gatehouse.agent.device.netlink;

/** The kernel's subsystems that are spoken to (linux/netlink.h). */
public enum NetlinkProtocol {
  /** Links, addresses, routes: rtnetlink(7). */
  ROUTE(0),
  /** Among others nf_tables (linux/netfilter/nfnetlink.h). */
  NETFILTER(12);

  private final int number;

  NetlinkProtocol(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }
}
