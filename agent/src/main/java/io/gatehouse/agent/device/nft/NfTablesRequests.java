package io.gatehouse.agent.device.nft;

import io.gatehouse.agent.device.netlink.NetlinkAttributes;
import io.gatehouse.agent.device.netlink.NetlinkRequest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The requests that the guard makes, as bytes (linux/netfilter/nf_tables.h). Pure. */
final class NfTablesRequests {
  private static final int DUMP = NetlinkRequest.FLAG_REQUEST | NetlinkRequest.FLAG_DUMP;
  private static final int CHANGE = NetlinkRequest.FLAG_REQUEST;

  /** Without NLM_F_EXCL: what is there already is no error. */
  private static final int CREATE = CHANGE | NetlinkRequest.FLAG_CREATE;

  private static final int MAX_BYTES = 256;

  private NfTablesRequests() {}

  static NetlinkRequest dumpTables() {
    return new NetlinkRequest(NfTables.GET_TABLE, DUMP, body().flip(), "list the nft tables");
  }

  static NetlinkRequest dumpChains() {
    return new NetlinkRequest(NfTables.GET_CHAIN, DUMP, body().flip(), "list the nft chains");
  }

  static NetlinkRequest dumpRules(String table) {
    ByteBuffer body = body();
    text(body, NfTables.RULE_TABLE, table);
    return new NetlinkRequest(NfTables.GET_RULE, DUMP, body.flip(), "list the nft rules");
  }

  /** These changes, one or more, as one transaction (nfnetlink's batch). */
  static List<NetlinkRequest> transaction(List<NetlinkRequest> changes) {
    List<NetlinkRequest> batch = new ArrayList<>();
    batch.add(mark(NfTables.BATCH_BEGIN, "change nft table " + GuardTable.TABLE));
    batch.addAll(changes.subList(0, changes.size() - 1));
    batch.add(changes.get(changes.size() - 1).acknowledged());
    batch.add(mark(NfTables.BATCH_END, "end the change of nft table " + GuardTable.TABLE));
    return batch;
  }

  /** Makes a table, or wakes one that is dormant. */
  static NetlinkRequest addTable(String table) {
    ByteBuffer body = body();
    text(body, NfTables.TABLE_NAME, table);
    number(body, NfTables.TABLE_FLAGS, 0);
    return new NetlinkRequest(NfTables.NEW_TABLE, CREATE, body.flip(), "add nft table " + table);
  }

  /** Makes the chain that drops all that comes in at the device of its name. */
  static NetlinkRequest addGuard(String table, String name) {
    ByteBuffer hook = ByteBuffer.allocate(MAX_BYTES).order(ByteOrder.nativeOrder());
    number(hook, NfTables.HOOK_NUMBER, NfTables.INGRESS);
    number(hook, NfTables.HOOK_PRIORITY, GuardTable.PRIORITY);
    text(hook, NfTables.HOOK_DEVICE, name);
    ByteBuffer body = chain(table, name);
    NetlinkAttributes.put(body, NfTables.CHAIN_HOOK | NfTables.NESTED, hook.flip());
    number(body, NfTables.CHAIN_POLICY, NfTables.DROP);
    text(body, NfTables.CHAIN_TYPE, GuardTable.TYPE);
    return new NetlinkRequest(NfTables.NEW_CHAIN, CREATE, body.flip(), "guard device " + name);
  }

  /** A chain with rules in it cannot be deleted: they go first. */
  static List<NetlinkRequest> deleteChain(String table, String name) {
    ByteBuffer rules = body();
    text(rules, NfTables.RULE_TABLE, table);
    text(rules, NfTables.RULE_CHAIN, name);
    return List.of(
        new NetlinkRequest(
            NfTables.DELETE_RULE, CHANGE, rules.flip(), "delete the rules of nft chain " + name),
        new NetlinkRequest(
            NfTables.DELETE_CHAIN, CHANGE, chain(table, name).flip(), "delete nft chain " + name));
  }

  private static ByteBuffer chain(String table, String name) {
    ByteBuffer body = body();
    text(body, NfTables.CHAIN_TABLE, table);
    text(body, NfTables.CHAIN_NAME, name);
    return body;
  }

  private static NetlinkRequest mark(int type, String what) {
    ByteBuffer body = ByteBuffer.allocate(NfTables.HEADER_BYTES);
    // The resource id, in network order, is the subsystem that the batch is for.
    body.put((byte) 0).put((byte) 0).putShort((short) NfTables.SUBSYSTEM);
    return new NetlinkRequest(type, NetlinkRequest.FLAG_REQUEST, body.flip(), what);
  }

  /** Begins with struct nfgenmsg. */
  private static ByteBuffer body() {
    ByteBuffer body = ByteBuffer.allocate(MAX_BYTES).order(ByteOrder.nativeOrder());
    return body.put((byte) NfTables.FAMILY_NETDEV).put((byte) 0).putShort((short) 0);
  }

  private static void text(ByteBuffer body, int type, String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    ByteBuffer terminated = ByteBuffer.allocate(bytes.length + 1).put(bytes).put((byte) 0);
    NetlinkAttributes.put(body, type, terminated.flip());
  }

  /** Numbers of nf_tables are in network order. */
  private static void number(ByteBuffer body, int type, int value) {
    NetlinkAttributes.put(body, type, ByteBuffer.allocate(Integer.BYTES).putInt(value).flip());
  }
}
