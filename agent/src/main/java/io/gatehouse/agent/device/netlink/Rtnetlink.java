package io.gatehouse.agent.device.netlink;

import io.gatehouse.model.net.IpAddress;

/** Numbers of linux/rtnetlink.h, linux/if_link.h and linux/if_addr.h that both directions use. */
final class Rtnetlink {
  static final int NEW_LINK = 16;
  static final int GET_LINK = 18;
  static final int SET_LINK = 19;
  static final int NEW_ADDRESS = 20;
  static final int DELETE_ADDRESS = 21;
  static final int GET_ADDRESS = 22;
  static final int NEW_ROUTE = 24;
  static final int GET_ROUTE = 26;

  static final int LINK_UP = 0x1;
  static final int LINK_LOWER_UP = 0x10000;

  static final int LINK_MAC = 1;
  static final int LINK_NAME = 3;
  static final int LINK_MTU = 4;

  /** IFLA_LINK. */
  static final int LINK_LOWER = 5;

  static final int LINK_MASTER = 10;
  static final int LINK_OPER_STATE = 16;
  static final int LINK_INFO = 18;
  static final int LINK_INFO_KIND = 1;
  static final int LINK_CARRIER = 33;
  static final int LINK_PHYS_SWITCH_ID = 36;
  static final int LINK_PHYS_PORT_NAME = 38;

  static final int ADDRESS_ADDRESS = 1;
  static final int ADDRESS_LOCAL = 2;

  static final int ROUTE_DESTINATION = 1;
  static final int ROUTE_OUT_LINK = 4;
  static final int ROUTE_GATEWAY = 5;
  static final int ROUTE_MULTIPATH = 9;
  static final int ROUTE_TABLE = 15;
  static final int ROUTE_VIA = 18;

  static final int TABLE_MAIN = 254;
  static final int ROUTE_UNICAST = 1;
  static final int ROUTE_FLAG_CLONED = 0x200;

  private static final int AF_INET = 2;
  private static final int AF_INET6 = 10;

  private Rtnetlink() {}

  static int number(IpAddress.Family family) {
    return family == IpAddress.Family.V4 ? AF_INET : AF_INET6;
  }
}
