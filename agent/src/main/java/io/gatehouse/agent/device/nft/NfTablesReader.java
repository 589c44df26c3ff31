package io.gatehouse.agent.device.nft;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.agent.device.netlink.NetlinkAttributes;
import io.gatehouse.agent.device.netlink.NetlinkMessage;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Messages of the kernel to tables, chains and the chains that hold rules. Pure; what a message
 * does not hold is a {@link DeviceException} of kind PROTOCOL.
 */
final class NfTablesReader {
  private static final int NONE = -1;

  private NfTablesReader() {}

  /**
   * A table.
   *
   * @param flags NFT_TABLE_F_*
   */
  record Table(String name, int flags) {}

  /**
   * A chain of a table.
   *
   * @param device the one device that it hangs on; empty if there is none, or more than one
   * @param type empty for a chain that hangs on no hook
   */
  record Chain(
      String table,
      String name,
      int hook,
      int priority,
      String device,
      int policy,
      String type,
      int flags) {
    /** The chain that guards the device of this name. */
    static Chain guardOf(String name) {
      return new Chain(
          GuardTable.TABLE,
          name,
          NfTables.INGRESS,
          GuardTable.PRIORITY,
          name,
          NfTables.DROP,
          GuardTable.TYPE,
          NfTables.CHAIN_BASE);
    }
  }

  static List<Table> tables(NetlinkMessage message) throws DeviceException {
    if (message.type() != NfTables.NEW_TABLE) {
      return List.of();
    }
    NetlinkAttributes attributes = attributes(message);
    return List.of(
        new Table(
            name(attributes, NfTables.TABLE_NAME, "table"),
            attributes.networkNumber(NfTables.TABLE_FLAGS, 0)));
  }

  static List<Chain> chains(NetlinkMessage message) throws DeviceException {
    if (message.type() != NfTables.NEW_CHAIN) {
      return List.of();
    }
    NetlinkAttributes attributes = attributes(message);
    NetlinkAttributes hook = attributes.nested(NfTables.CHAIN_HOOK);
    return List.of(
        new Chain(
            name(attributes, NfTables.CHAIN_TABLE, "chain"),
            name(attributes, NfTables.CHAIN_NAME, "chain"),
            hook.networkNumber(NfTables.HOOK_NUMBER, NONE),
            hook.networkNumber(NfTables.HOOK_PRIORITY, NONE),
            text(hook, NfTables.HOOK_DEVICE),
            attributes.networkNumber(NfTables.CHAIN_POLICY, NONE),
            text(attributes, NfTables.CHAIN_TYPE),
            attributes.networkNumber(NfTables.CHAIN_FLAGS, 0)));
  }

  /** The name of the chain that holds a rule. */
  static List<String> chainsOfRules(NetlinkMessage message) throws DeviceException {
    return message.type() == NfTables.NEW_RULE
        ? List.of(name(attributes(message), NfTables.RULE_CHAIN, "rule"))
        : List.of();
  }

  private static NetlinkAttributes attributes(NetlinkMessage message) throws DeviceException {
    ByteBuffer payload = message.payload();
    if (payload.remaining() < NfTables.HEADER_BYTES) {
      throw new DeviceException(
          Kind.PROTOCOL, "nf_tables: a message of " + payload.remaining() + " bytes");
    }
    int start = payload.position() + NfTables.HEADER_BYTES;
    return NetlinkAttributes.parse(payload.slice(start, payload.limit() - start));
  }

  private static String name(NetlinkAttributes attributes, int type, String what)
      throws DeviceException {
    String name = text(attributes, type);
    if (name.isEmpty()) {
      throw new DeviceException(Kind.PROTOCOL, "nf_tables: a " + what + " without a name");
    }
    return name;
  }

  private static String text(NetlinkAttributes attributes, int type) {
    String text = attributes.text(type);
    return text == null ? "" : text;
  }
}
