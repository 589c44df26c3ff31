package io.gatehouse.agent.device.nft;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.LinkName;
import io.gatehouse.agent.device.netlink.NetlinkProtocol;
import io.gatehouse.agent.device.netlink.NetlinkRequest;
import io.gatehouse.agent.device.netlink.NetlinkSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The guard: keeps the kernel's own network stack away from the frames of guarded devices, which
 * AF_PACKET readers such as the userspace datapath of Open vSwitch still see. Table {@code netdev
 * gatehouse}, one chain a device, named as the device: hook ingress, priority -500, policy drop, no
 * rule. Works in the network namespace of the thread that opened it; safe for several threads.
 * Limits and errors are those of {@link NetlinkSession}.
 *
 * <p>A guard is of a name. On Linux 6.16 and later it waits for a device that is not there, and
 * follows the name when devices are renamed; before that, a device must exist to be guarded, and
 * its guard goes with it. In both cases {@link #read} tells what is there.
 */
public final class GuardTable implements AutoCloseable {
  static final String TABLE = "gatehouse";
  static final String TYPE = "filter";
  static final int PRIORITY = -500;

  private final NetlinkSession kernel;

  private GuardTable(NetlinkSession kernel) {
    this.kernel = kernel;
  }

  /** Opens the table of the calling thread's network namespace, which need not exist yet. */
  public static GuardTable open(Duration timeout) throws DeviceException {
    return new GuardTable(NetlinkSession.open(NetlinkProtocol.NETFILTER, timeout));
  }

  /**
   * Names of the devices that are guarded now, in order. A chain that was changed by hand does not
   * count.
   */
  public Set<String> read() throws DeviceException {
    return new TreeSet<>(view().guarded());
  }

  /**
   * Guards some devices and frees others in one transaction: all or nothing, and no moment without
   * a guard that was there and stays. Idempotent. Chains under these names that were changed by
   * hand are made anew; a table that was switched off is switched on first.
   */
  public void guard(Set<String> add, Set<String> remove) throws DeviceException {
    add.forEach(LinkName::checked);
    GuardView now = view();
    if (now.asleep()) {
      // The kernel deletes no chain of a table that wakes up in the same transaction.
      transact(List.of(NfTablesRequests.addTable(TABLE)));
    }
    transact(changes(now, new TreeSet<>(add), new TreeSet<>(remove)));
  }

  @Override
  public void close() {
    kernel.close();
  }

  private void transact(List<NetlinkRequest> changes) throws DeviceException {
    kernel.transact(NfTablesRequests.transaction(changes));
  }

  private static List<NetlinkRequest> changes(GuardView now, Set<String> add, Set<String> remove) {
    List<NetlinkRequest> changes = new ArrayList<>();
    changes.add(NfTablesRequests.addTable(TABLE));
    for (String name : remove) {
      if (now.holds(name) && !add.contains(name)) {
        changes.addAll(NfTablesRequests.deleteChain(TABLE, name));
      }
    }
    for (String name : now.bentOf(add)) {
      changes.addAll(NfTablesRequests.deleteChain(TABLE, name));
    }
    for (String name : add) {
      changes.add(NfTablesRequests.addGuard(TABLE, name));
    }
    return changes;
  }

  private GuardView view() throws DeviceException {
    Optional<NfTablesReader.Table> table =
        dump(NfTablesRequests.dumpTables(), NfTablesReader::tables).stream()
            .filter(candidate -> candidate.name().equals(TABLE))
            .findFirst();
    if (table.isEmpty()) {
      return GuardView.ABSENT;
    }
    List<NfTablesReader.Chain> chains =
        dump(NfTablesRequests.dumpChains(), NfTablesReader::chains).stream()
            .filter(chain -> chain.table().equals(TABLE))
            .toList();
    Set<String> withRules =
        new HashSet<>(dump(NfTablesRequests.dumpRules(TABLE), NfTablesReader::chainsOfRules));
    return GuardView.of(chains, withRules, (table.get().flags() & NfTables.TABLE_DORMANT) != 0);
  }

  private <T> List<T> dump(NetlinkRequest request, NetlinkSession.Reader<T> reader)
      throws DeviceException {
    return kernel.dump(request, reader, NetlinkSession.NONE_HARMLESS);
  }
}
