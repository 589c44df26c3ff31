package io.gatehouse.agent.device.nft;

/** Numbers of linux/netfilter/nfnetlink.h and nf_tables.h that both directions use. */
final class NfTables {
  static final int BATCH_BEGIN = 0x10;
  static final int BATCH_END = 0x11;

  /** NFNL_SUBSYS_NFTABLES. */
  static final int SUBSYSTEM = 10;

  static final int NEW_TABLE = type(0);
  static final int GET_TABLE = type(1);
  static final int NEW_CHAIN = type(3);
  static final int GET_CHAIN = type(4);
  static final int DELETE_CHAIN = type(5);
  static final int NEW_RULE = type(6);
  static final int GET_RULE = type(7);
  static final int DELETE_RULE = type(8);

  /** NFPROTO_NETDEV. */
  static final int FAMILY_NETDEV = 5;

  /** Bytes of struct nfgenmsg: family, version, resource id. */
  static final int HEADER_BYTES = 4;

  static final int TABLE_NAME = 1;
  static final int TABLE_FLAGS = 2;
  static final int TABLE_DORMANT = 0x1;

  static final int CHAIN_TABLE = 1;
  static final int CHAIN_NAME = 3;
  static final int CHAIN_HOOK = 4;
  static final int CHAIN_POLICY = 5;
  static final int CHAIN_TYPE = 7;
  static final int CHAIN_FLAGS = 10;

  /** The one flag of a chain that hangs on a hook and is not offloaded. */
  static final int CHAIN_BASE = 0x1;

  static final int HOOK_NUMBER = 1;
  static final int HOOK_PRIORITY = 2;
  static final int HOOK_DEVICE = 3;

  /** NF_NETDEV_INGRESS. */
  static final int INGRESS = 0;

  /** NF_DROP. */
  static final int DROP = 0;

  static final int RULE_TABLE = 1;
  static final int RULE_CHAIN = 2;

  /** Marks an attribute that holds attributes. */
  static final int NESTED = 0x8000;

  private NfTables() {}

  private static int type(int message) {
    return SUBSYSTEM << 8 | message;
  }
}
