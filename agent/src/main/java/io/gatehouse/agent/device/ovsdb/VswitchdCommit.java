package io.gatehouse.agent.device.ovsdb;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.model.net.InvalidValueException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Transactions that are done only when ovs-vswitchd has taken the configuration. The transaction
 * raises {@code Open_vSwitch.next_cfg}; the daemon sets {@code cur_cfg} to it once it has
 * reconfigured itself (ovs-vswitchd.conf.db(5)), and the replica shows that. It says that the
 * configuration was read, not that each port works: an interface has its own {@code error} column.
 * Thread-safe, as the client.
 */
public final class VswitchdCommit {
  private static final String ROOT = "Open_vSwitch";

  private final OvsdbClient client;

  /** The client must monitor {@code cur_cfg} of {@code Open_vSwitch}. */
  public VswitchdCommit(OvsdbClient client) {
    if (!client.config().monitored().getOrDefault(ROOT, Set.of()).contains("cur_cfg")) {
      throw new InvalidValueException(
          "monitored", client.config().monitored().keySet(), "lacks Open_vSwitch.cur_cfg");
    }
    this.client = client;
  }

  /**
   * Commits, and completes when the daemon has caught up. REJECTED: nothing was changed.
   * UNREACHABLE: either the outcome is unknown, or it is committed and the daemon did not pick it
   * up within the limit; the message says which.
   *
   * @param limit counted from the commit
   */
  public CompletableFuture<TransactionResult> commit(List<Operation> operations, Duration limit) {
    List<Operation> all = new ArrayList<>(operations);
    all.addAll(raise(1));
    return client
        .transact(all)
        .thenCompose(
            result ->
                follow(result.rows(all.size() - 1), limit)
                    .thenApply(
                        unused ->
                            new TransactionResult(
                                result.outcomes().subList(0, operations.size()))));
  }

  private static List<Operation> raise(long by) {
    return List.of(
        new Operation.Mutate(ROOT, List.of(), List.of(Operation.Mutation.add("next_cfg", by))),
        new Operation.Select(ROOT, List.of(), List.of("next_cfg", "cur_cfg")));
  }

  private CompletableFuture<OvsdbSnapshot> follow(List<Row> roots, Duration limit) {
    try {
      if (roots.size() != 1) {
        throw new DeviceException(Kind.PROTOCOL, ROOT + " has " + roots.size() + " rows");
      }
      long wanted = roots.get(0).integer("next_cfg");
      long ahead = roots.get(0).integer("cur_cfg") - wanted;
      // Somebody set next_cfg back, so cur_cfg says nothing: go beyond what it has ever been.
      return ahead < 0 ? caughtUp(wanted, limit) : raiseAgain(ahead + 1, limit);
    } catch (DeviceException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletableFuture<OvsdbSnapshot> raiseAgain(long by, Duration limit) {
    return client.transact(raise(by)).thenCompose(result -> follow(result.rows(1), limit));
  }

  private CompletableFuture<OvsdbSnapshot> caughtUp(long wanted, Duration limit) {
    return client.await(
        snapshot -> reached(snapshot, wanted),
        limit,
        "ovs-vswitchd did not pick up the configuration within " + limit.toSeconds() + " s");
  }

  private static boolean reached(OvsdbSnapshot snapshot, long wanted) {
    try {
      return snapshot.single(ROOT).integer("cur_cfg") >= wanted;
    } catch (DeviceException e) {
      return false; // The limit ends the wait, whatever else stands in the table.
    }
  }
}
