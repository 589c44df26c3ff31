package io.gatehouse.agent.device.nft;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.LinkName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The guard: keeps the kernel's own network stack away from the frames of guarded devices, which
 * AF_PACKET readers such as the userspace datapath of Open vSwitch still see. Table {@code netdev
 * gatehouse}, one chain a device, named as the device: hook ingress, priority -500, policy drop, no
 * rule.
 *
 * <p>A guard is of a name. On Linux 6.16 and later it waits for a device that is not there, and
 * follows the name when devices are renamed; before that, a device must exist to be guarded, and
 * its guard goes with it. In both cases {@link #read} tells what is there.
 */
public final class GuardTable {
  static final String FAMILY = "netdev";
  static final String TABLE = "gatehouse";

  private static final int PRIORITY = -500;

  private final NftClient nft;

  public GuardTable(NftClient nft) {
    this.nft = nft;
  }

  /**
   * Names of the devices that are guarded now, in order. A chain that was changed by hand does not
   * count.
   */
  public Set<String> read() throws DeviceException {
    return new TreeSet<>(listing().guarded());
  }

  /**
   * Guards some devices and frees others in one transaction: all or nothing, and no moment without
   * a guard that was there and stays. Idempotent. Chains under these names that were changed by
   * hand are made anew; a table that was switched off is switched on first.
   */
  public void guard(Set<String> add, Set<String> remove) throws DeviceException {
    add.forEach(LinkName::checked);
    GuardListing now = listing();
    if (now.asleep()) {
      // The kernel deletes no chain of a table that wakes up in the same transaction.
      nft.apply(List.of(addTable()));
    }
    nft.apply(commands(now, new TreeSet<>(add), new TreeSet<>(remove)));
  }

  private static List<ObjectNode> commands(GuardListing now, Set<String> add, Set<String> remove) {
    List<ObjectNode> commands = new ArrayList<>();
    commands.add(addTable());
    for (String name : remove) {
      if (now.holds(name) && !add.contains(name)) {
        commands.addAll(deleteChain(name));
      }
    }
    for (String name : now.bentOf(add)) {
      commands.addAll(deleteChain(name));
    }
    for (String name : add) {
      commands.add(addChain(name));
    }
    return commands;
  }

  private GuardListing listing() throws DeviceException {
    return nft.list(FAMILY, TABLE).map(GuardListing::parse).orElse(GuardListing.ABSENT);
  }

  private static ObjectNode addTable() {
    ObjectNode table = JsonNodeFactory.instance.objectNode();
    return command("add", "table", table.put("family", FAMILY).put("name", TABLE));
  }

  private static ObjectNode addChain(String name) {
    ObjectNode chain = chain(name).put("type", "filter").put("hook", "ingress").put("dev", name);
    return command("add", "chain", chain.put("prio", PRIORITY).put("policy", "drop"));
  }

  /** A chain with rules in it cannot be deleted. */
  private static List<ObjectNode> deleteChain(String name) {
    return List.of(command("flush", "chain", chain(name)), command("delete", "chain", chain(name)));
  }

  private static ObjectNode chain(String name) {
    ObjectNode chain = JsonNodeFactory.instance.objectNode();
    return chain.put("family", FAMILY).put("table", TABLE).put("name", name);
  }

  private static ObjectNode command(String verb, String type, ObjectNode object) {
    ObjectNode command = JsonNodeFactory.instance.objectNode();
    command.putObject(verb).set(type, object);
    return command;
  }
}
